import { ToolError } from "@haft/contract";
import { toComparable } from "./comparable-lines.ts";
import type { FileLines } from "./file-lines.ts";
import { findBlock } from "./find-block.ts";
import { findNearestPlace } from "./find-nearest-place.ts";
import { type Hunk, type HunkLine, newLines, oldLines } from "./patch.ts";
import type { Misfit } from "./place.ts";

/** The hunk that has no place, and where it was looked for. */
export interface MisfitContext {
  readonly hunk: Hunk;
  /** Counted from 1 within its file. */
  readonly number: number;
  readonly name: string;
  readonly file: FileLines;
}

/** Says why a hunk has no place, what comes nearest, and what to do. */
export function explainMisfit(misfit: Misfit, context: MisfitContext): ToolError {
  const { number, name, file } = context;
  const start = `Nothing was changed: hunk ${number} of ${name}`;
  return new ToolError("conflict", `${start} ${describe(misfit, context)}`, {
    absolutePath: name,
  });

  function describe({ reason, places, anchor = "" }: Misfit, { hunk }: MisfitContext): string {
    switch (reason) {
      case "ambiguous":
        return `fits at several places: lines ${listLines(places)}. Give it more lines of context, or the right line number.`;
      case "no-anchor":
        return `has the anchor ${quote(anchor)}, and no line says that. Name one that is there, whole.`;
      case "past-end":
        return `adds lines at line ${hunk.hint?.start}, and the file has ${file.texts.length}. Give it lines of context.`;
      default:
        return `does not fit. ${describeNearest(context)}`;
    }
  }
}

const shownDifferences = 3;
const shownPlaces = 20;
const shownLength = 200;

function describeNearest({ hunk, file }: MisfitContext): string {
  const again = "Read the file again and send the hunk with the lines that are there.";
  const old = oldLines(hunk);
  const done = findPlaces(newLines(hunk), file);
  if (done.length === 1 && hunk.lines.some(({ kind }) => kind === "added")) {
    return `What it would make is there already, at line ${(done[0] as number) + 1}. Leave the hunk out if that is all.`;
  }
  const [elsewhere] = findPlaces(old, file);
  if (elsewhere !== undefined) {
    const line = `Its lines stand at line ${elsewhere + 1}, but`;
    if (hunk.isAtEnd) return `${line} not at the end of the file. Leave out *** End of File.`;
    if (hunk.anchors.length > 0) return `${line} not behind its anchor. Choose another one.`;
    return `${line} before the hunk above it. Put the hunks in the order of the file.`;
  }
  const nearest = findNearestPlace(
    file.texts,
    old.map(({ text }) => text),
  );
  if (nearest === undefined) return `None of its lines is in the file. ${again}`;
  const range = `${nearest.at + 1} to ${Math.min(nearest.at + old.length, file.texts.length)}`;
  const shown = nearest.differences.slice(0, shownDifferences).map(({ line, index }) => {
    const there = file.texts[line];
    const what = there === undefined ? "is past the end" : `is ${quote(there)}`;
    return `line ${line + 1} ${what}, not ${quote((old[index] as HunkLine).text)}`;
  });
  const more = nearest.differences.length - shown.length;
  const rest = more > 0 ? `; ${more} more differ` : "";
  return `Nearest are lines ${range}: ${shown.join("; ")}${rest}. ${again}`;
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
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}
