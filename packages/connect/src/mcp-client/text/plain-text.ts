/**
 * Text of a server's as people and models may see it: without sequences that steer a terminal,
 * without characters that hide or reorder what is written, cut to a length.
 */
export function toPlainText(text: string, longest: number = Number.POSITIVE_INFINITY): string {
  // Before anything else: a server's text may be of any length.
  const taken = text.length > longest * 4 ? text.slice(0, longest * 4) : text;
  const plain = taken
    .replace(terminalSequences, "")
    .replace(/\r\n?/gu, "\n")
    .replace(hidden, "")
    .replace(joiners, keepJoiner)
    .toWellFormed();
  if (plain.length <= longest && taken === text) return plain;
  const cut = plain.slice(0, Math.max(0, longest - 1));
  return `${cut.replace(/[\ud800-\udbff]$/u, "")}…`;
}

/** The same in one line, as titles, names and messages are. */
export function toPlainLine(text: string, longest: number): string {
  return toPlainText(
    text.slice(0, longest * 8).replace(/[\s\u2028\u2029]+/gu, " "),
    longest,
  ).trim();
}

/** The same for every text in a value, the names of its properties too. */
export function toPlainData(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return isPlain(value) ? value : toPlainText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) return "…";
  if (Array.isArray(value)) return value.map((item) => toPlainData(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      isPlain(name) ? name : toPlainText(name),
      toPlainData(item, depth + 1),
    ]),
  );
}

const deepest = 200;

// ANSI: control sequences, operating system commands and other strings up to their end, and what
// is introduced by ESC alone. Their eight-bit forms go with the control characters.
const terminalSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,4}[0-~]/gu;

// Controls but tab and line feed; separators of lines that look like none; all that is there to be
// ignored when shown: bidirectional, zero-width and tag characters, variation selectors. The one of
// emoji stays.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

const joiners = /\u200c|\u200d/gu;
const anyHidden = new RegExp(`${hidden.source}|\\u200c|\\u200d|\\r|\\p{Cs}`, "u");

function isPlain(text: string): boolean {
  return !anyHidden.test(text);
}

// Joiners are letters' and emoji's business in some scripts; anywhere else they only hide.
function keepJoiner(joiner: string, at: number, text: string): string {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + 1, at + 3);
  if (/\p{Extended_Pictographic}$|[\ufe0f\u{1f3fb}-\u{1f3ff}]$/u.test(before)) {
    return /^\p{Extended_Pictographic}/u.test(after) ? joiner : "";
  }
  return /[\p{L}\p{M}]$/u.test(before) && /[\u0600-\u0fff\u1780-\u18af]$/u.test(before.slice(-1))
    ? joiner
    : "";
}
