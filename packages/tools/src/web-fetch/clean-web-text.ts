/**
 * Removes invisible characters from a web text: control characters except line breaks and tabs,
 * direction marks, tag characters and blank letters. They can hide words from people that models
 * read, or the reverse.
 */
export function cleanWebText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(lineBreaks, "\n")
    .replaceAll(unseen, "")
    .replaceAll(joiners, "$<kept>");
}

/** Cleans a text of one line, such as a title. */
export function cleanWebLine(text: string): string {
  return cleanWebText(text).replaceAll(/\s+/gu, " ").trim();
}

const lineBreaks = /\r\n?|[\u0085\u2028\u2029]/gu;

// In the order of their code points: controls, soft hyphen, joiner of graphemes, mark of Arabic,
// fillers, vowels without a sound, selectors of Mongolian, zero-width characters but the joiners,
// direction, invisible operators and deprecated marks, a filler again, selectors of variants but
// that of emoji, byte order mark, one more filler, annotations, marks of shorthand and music, tags
// and more selectors.
const unseen = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5",
    "\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff",
    "\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
  ].join(""),
  "gu",
);

// Scripts beyond ASCII write with the two joiners, and so do emoji: one at a time, between two of
// their characters.
const written = "\\p{L}\\p{M}\\p{Extended_Pictographic}";
const joiners = new RegExp(
  `(?<=(?![ -~])[${written}\\u{1f3fb}-\\u{1f3ff}\\ufe0f])(?<kept>[\\u200c\\u200d])(?=(?![ -~])[${written}])|[\\u200c\\u200d]`,
  "gu",
);
