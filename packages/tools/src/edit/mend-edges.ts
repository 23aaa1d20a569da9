import { contentEnd, lineEnd, lineStart } from "@haft/contract/internal";
import type { Splice } from "../text/text-document.ts";

/** A splice whose edges were checked. */
export interface MendedSplice {
  readonly splice: Splice;
  /** What was put right, or what the caller may not have meant. */
  readonly note?: string;
}

/**
 * Puts right what a call leaves at the edges of a match by mistake: words of two lines that become one,
 * because a line break is in the old text only, and a blank line beside others where text was deleted.
 * Where it could be meant so, it only says so.
 */
export function mendEdges(text: string, splice: Splice): MendedSplice {
  const removed = text.slice(splice.start, splice.end);
  // An edit of line breaks alone is about them.
  if (removed.trim() === "") return { splice };
  if (splice.text === "") return /^\s*\n/u.test(removed) ? { splice } : mendDeletion(text, splice);
  const [lostBefore] = /^\r?\n/u.exec(removed) ?? [];
  const [lostAfter] = /\r?\n$/u.exec(removed) ?? [];
  if (lostAfter !== undefined && !splice.text.endsWith("\n")) {
    const isFused = fuses(splice.text.at(-1), text[splice.end]);
    if (isFused) return { splice: { ...splice, text: splice.text + lostAfter }, note: kept };
  }
  if (lostBefore !== undefined && !/^\r?\n/u.test(splice.text)) {
    const isFused = fuses(text[splice.start - 1], splice.text[0]);
    if (isFused) return { splice: { ...splice, text: lostBefore + splice.text }, note: kept };
  }
  const addsBreak = lostAfter === undefined && splice.text.endsWith("\n");
  const isLineEnd = /^\r?\n/u.test(text.slice(splice.end, splice.end + 2));
  return addsBreak && isLineEnd ? { splice, note: blankAdded } : { splice };
}

const kept =
  "The line break that only old_string had was kept: without it, two lines would have become one.";
const blankAdded =
  "new_string ends with a line break that old_string does not have, so a blank line follows it.";
const blankLeft =
  "A blank line is left where the text was. To remove it as well, end old_string with its line break.";
const blankRemoved = "The line that the deletion left blank was removed as well.";

/** Tells whether two characters that are next to each other now were the end and the start of lines. */
function fuses(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || /[\r\n]/u.test(before + after)) return false;
  const isEnd = /[;{}]/u.test(before);
  return isEnd || (/[\p{L}\p{N}_]/u.test(before) && /[\p{L}\p{N}_]/u.test(after));
}

function mendDeletion(text: string, splice: Splice): MendedSplice {
  const { start, end } = splice;
  const [first, next] = [lineStart(text, start), lineEnd(text, end)];
  const rest = contentEnd(text, end, next);
  const isWhole = text.slice(first, start).trim() === "" && text.slice(end, rest).trim() === "";
  // The last line, or text that ends with a line break, leaves no line behind.
  if (!isWhole || rest === next || text[end - 1] === "\n") return { splice };
  const before = first === 0 ? "" : text.slice(lineStart(text, first - 1), first);
  const after = text.slice(next, contentEnd(text, next, lineEnd(text, next)));
  const leavesSpace = first < start || end < rest;
  if (!leavesSpace && before.trim() !== "" && after.trim() !== "") {
    return { splice, note: blankLeft };
  }
  return { splice: { start: first, end: next, text: "" }, note: blankRemoved };
}
