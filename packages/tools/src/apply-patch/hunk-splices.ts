import { ToolError } from "@haft/contract";
import type { Splice } from "../text/text-document.ts";
import { type FileLines, spliceLines } from "./file-lines.ts";
import { type HunkLine, newLines, oldLines } from "./patch.ts";
import type { PlacedHunk } from "./place-hunks.ts";

/**
 * Converts placed hunks to splices of a text. A replaced line keeps its ending; an added line takes
 * that of the line before it, or else after it. A text without a line break at its end stays so,
 * unless the patch says otherwise.
 */
export function toSplices(
  file: FileLines,
  placed: readonly PlacedHunk[],
  { name, saysEnd }: { readonly name: string; readonly saysEnd: boolean },
): Splice[] {
  const splices = placed
    .flatMap((hunk, index) => {
      const endsLast = decideEnd(file, hunk, saysEnd);
      return toRuns(hunk).map((run) => {
        const text = joinLines(file, run, { endsLast, isLiteral: isLiteral(hunk, file) });
        return { ...spliceLines(file, run, text), number: index + 1 };
      });
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, { start, number }] of splices.entries()) {
    const before = splices[index - 1];
    if (before === undefined || start >= before.end) continue;
    throw new ToolError(
      "conflict",
      `Nothing was changed: hunks ${before.number} and ${number} of ${name} change the same lines. Merge them into one hunk.`,
      { absolutePath: name },
    );
  }
  return splices.map(({ start, end, text }) => ({ start, end, text }));
}

/** Lines of a file and their replacement. */
interface Run {
  readonly from: number;
  to: number;
  readonly added: HunkLine[];
}

function toRuns({ hunk, at }: PlacedHunk): Run[] {
  const runs: Run[] = [];
  let line = at;
  let run: Run | undefined;
  for (const hunkLine of hunk.lines) {
    if (hunkLine.kind === "same") {
      run = undefined;
      line++;
      continue;
    }
    if (run === undefined) {
      run = { from: line, to: line, added: [] };
      runs.push(run);
    }
    if (hunkLine.kind === "removed") run.to = ++line;
    else run.added.push(hunkLine);
  }
  return runs;
}

/** Tells whether the carriage returns of a hunk matched the file, so that it defines all endings. */
function isLiteral({ hunk, isExact }: PlacedHunk, { endings }: FileLines): boolean {
  if (!isExact || endings.includes("\r")) return false;
  return hunk.lines.some(({ text }) => text.endsWith("\r"));
}

/** Decides whether the last line of the file ends with a line break, if this hunk writes it. */
function decideEnd({ texts, endings }: FileLines, placed: PlacedHunk, saysEnd: boolean): boolean {
  const isEnded = endings.at(-1) !== "";
  const old = oldLines(placed.hunk);
  const added = newLines(placed.hunk);
  const wasUnended = old.at(-1)?.isUnended === true;
  const becomesUnended = added.at(-1)?.isUnended === true;
  const isAtEnd = placed.at + old.length === texts.length;
  const speaks = saysEnd && placed.isExact && isAtEnd && (old.length > 0 || isEnded);
  return speaks || wasUnended !== becomesUnended ? !becomesUnended : isEnded;
}

function joinLines(
  { texts, endings, commonEnding }: FileLines,
  { from, to, added }: Run,
  { endsLast, isLiteral }: { readonly endsLast: boolean; readonly isLiteral: boolean },
): string {
  if (added.length === 0) return "";
  const isLast = to === texts.length;
  const fallback = endings[to] || endings.find((ending) => ending !== "") || "\n";
  let ending = endings[from - 1] || fallback;
  // Lines are added after a last line without a line break.
  let joined = from === to && isLast && endings[from - 1] === "" ? ending : "";
  for (const [index, { text }] of added.entries()) {
    if (isLiteral) {
      joined += `${text}\n`;
    } else {
      if (from + index < to) ending = endings[from + index] || ending;
      ending = commonEnding ?? ending;
      joined += (text.endsWith("\r") ? text.slice(0, -1) : text) + ending;
    }
  }
  if (!isLast || endsLast) return joined;
  return joined.slice(0, isLiteral ? -1 : -ending.length);
}
