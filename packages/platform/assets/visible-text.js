// @ts-check

// Control and format characters (bidirectional, zero-width, tags), line separators, lone
// surrogates, variation selectors and fillers: what makes a page show something else than what is
// there. An emoji keeps its own variation selector.
const deceptive =
  /(?<!\p{Extended_Pictographic})\ufe0f|[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n\ufe0f]]/gv;

/**
 * Splits text so that what would not be seen, or would mislead, appears as its code.
 * @param {string} text
 * @returns {{ text: string, escaped: boolean }[]}
 */
export function toVisibleParts(text) {
  /** @type {{ text: string, escaped: boolean }[]} */
  const parts = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(deceptive)) {
    if (index > end) parts.push({ text: text.slice(end, index), escaped: false });
    parts.push({ text: escapeCharacter(character), escaped: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), escaped: false });
  return parts;
}

/** @param {string} character */
function escapeCharacter(character) {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
