import { ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import { describeNearest } from "../edit/describe-nearest.ts";
import { FileText } from "../edit/file-text.ts";
import { toComparable } from "./comparable-lines.ts";
import type { FileLines } from "./file-lines.ts";
import { findBlock } from "./find-block.ts";
import type { Misfit } from "./hunk-position.ts";
import { type Hunk, type HunkLine, newLines, oldLines } from "./patch.ts";

/** The hunk that does not fit, and the file it was meant for. */
export interface MisfitContext {
  readonly hunk: Hunk;
  /** Its number in its file, from 1. */
  readonly number: number;
  readonly name: string;
  readonly file: FileLines;
}

/** Creates the error for a hunk that does not fit: the reason, the nearest match, and what to do. */
export function explainMisfit(misfit: Misfit, context: MisfitContext): ToolError {
  const { number, name, file } = context;
  const start = `Nothing was changed: hunk ${number} of ${name}`;
  return new ToolError("conflict", `${start} ${describe(misfit, context)}`, {
    absolutePath: name,
  });

  function describe({ reason, places, anchor = "" }: Misfit, { hunk }: MisfitContext): string {
    switch (reason) {
      case "ambiguous":
        return `matches in several places: lines ${listLines(places)}. Add more lines of context, or correct the line number.`;
      case "no-anchor":
        return `has the anchor ${quote(anchor)}, but no line of the file matches it. Use a whole line of the file as the anchor.`;
      case "past-end":
        return `adds lines at line ${hunk.hint?.start}, but the file has ${file.texts.length} lines. Add lines of context.`;
      default:
        return `does not match. ${describeMisfit(context)}`;
    }
  }
}

const shownPlaces = 20;
const shownLength = 200;

function describeMisfit({ hunk, file }: MisfitContext): string {
  const old = oldLines(hunk);
  const done = findPlaces(newLines(hunk), file);
  if (done.length === 1 && hunk.lines.some(({ kind }) => kind === "added")) {
    return `Its result is already in the file, at line ${(done[0] as number) + 1}. If nothing else is missing, leave the hunk out.`;
  }
  const [elsewhere] = findPlaces(old, file);
  if (elsewhere !== undefined) {
    const line = `Its lines are at line ${elsewhere + 1}, but`;
    if (hunk.isAtEnd) return `${line} not at the end of the file. Remove *** End of File.`;
    if (hunk.anchors.length > 0) return `${line} not after its anchor. Use another anchor.`;
    return `${line} before those of the previous hunk. Put the hunks in the order of the file.`;
  }
  const wanted = old.map(({ text }) => text).join("\n");
  return describeNearest(new FileText(file.texts.join("\n")), wanted, "the hunk").trim();
}

function findPlaces(lines: readonly HunkLine[], file: FileLines): number[] {
  return findBlock(
    file.texts,
    lines.map(({ text }) => toComparable(text, "line-endings")),
  );
}

function listLines(places: readonly number[]): string {
  const shown = places.slice(0, shownPlaces).map((place) => place + 1);
  return shown.join(", ") + (places.length > shown.length ? ", …" : "");
}

function quote(text: string): string {
  return JSON.stringify(clipText(text, shownLength));
}
