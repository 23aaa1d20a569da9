import { clipText } from "@haft/contract/internal";

/**
 * Makes untrusted text safe for people, models and logs: removes terminal sequences and characters
 * that are invisible or reorder text (zero-width, bidirectional and tag characters), and cuts the text
 * to `maxLength`.
 */
export function toPlainText(text: string, maxLength: number = Number.POSITIVE_INFINITY): string {
  // First, because the text may have any length.
  const taken = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const plain = taken
    .replace(terminalSequences, "")
    .replace(/\r\n?/gu, "\n")
    .replace(hidden, "")
    .replace(joiners, keepJoiner)
    .toWellFormed();
  if (plain.length <= maxLength && taken === text) return plain;
  return clipText(`${plain}…`, maxLength);
}

/** Like `toPlainText`, for titles, names and messages: the result is one line. */
export function toPlainLine(text: string, maxLength: number = Number.POSITIVE_INFINITY): string {
  return toPlainText(
    text.slice(0, maxLength * 8).replace(/[\s\u2028\u2029]+/gu, " "),
    maxLength,
  ).trim();
}

/** Applies `toPlainText` to every text in a value, including property names. */
export function toPlainData(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return isPlain(value) ? value : toPlainText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return "…";
  if (Array.isArray(value)) return value.map((item) => toPlainData(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      isPlain(name) ? name : toPlainText(name),
      toPlainData(item, depth + 1),
    ]),
  );
}

const maxDepth = 200;

// ANSI control sequences, operating system commands and other strings, and sequences that start with
// ESC alone. Their eight-bit forms are removed with the control characters.
const terminalSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,4}[0-~]/gu;

// Control characters except tab and line feed, invisible line separators, and all characters that
// are not displayed: bidirectional, zero-width and tag characters, and variation selectors except the
// one of emoji.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

const joiners = /\u200c|\u200d/gu;
const anyHidden = new RegExp(`${hidden.source}|\\u200c|\\u200d|\\r|\\p{Cs}`, "u");

function isPlain(text: string): boolean {
  return !anyHidden.test(text);
}

// Joiners have a meaning in emoji and in some scripts. Elsewhere they only hide something.
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
