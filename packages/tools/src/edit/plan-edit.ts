import { ToolError } from "@haft/contract";
import { countBreaks } from "../text/lines.ts";
import type { Splice } from "../text/text-document.ts";
import { describeNearest } from "./describe-nearest.ts";
import type { FileText } from "./file-text.ts";
import { climbLadder, type EditStrategy, type FoundPlace } from "./ladder.ts";

/** One replacement, as a model asks for it. */
export interface EditRequest {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** What an edit does to a text. */
export interface EditPlan {
  readonly strategy: EditStrategy;
  readonly splices: readonly Splice[];
}

/**
 * Finds the one place of an edit, or all of them if all are to be replaced; throws if there is no
 * such place or if it is not clear which. With `replace_all` the places of an exact match are taken
 * from left to right; those of a later rung must not overlap.
 */
export function planEdit(file: FileText, request: EditRequest, path: string): EditPlan {
  requireSense(request);
  const { old_string: oldText, new_string: newText } = request;
  const finding = climbLadder(file, { oldText, newText });
  if (finding === undefined) {
    const nearest = describeNearest(file, oldText);
    throw conflict(path, `No place in ${path} has old_string.${nearest}`, { reason: "no-match" });
  }
  const { strategy } = finding;
  const places = choosePlaces(file, finding.places, { path, strategy, all: request.replace_all });
  // Where the endings are all that differs, they are what the edit is about.
  const isLiteral = strategy === "exact" && file.toPlain(oldText) === file.toPlain(newText);
  const splices: Splice[] = [];
  for (const place of places) {
    const before = splices.at(-1)?.end ?? 0;
    splices.push(
      isLiteral
        ? { start: place.start, end: place.end, text: newText }
        : toSplice(file, place, before),
    );
  }
  if (splices.every(({ start, end, text }) => file.text.slice(start, end) === text)) {
    throw conflict(
      path,
      `${path} has new_string in place of old_string already: nothing to change.`,
    );
  }
  return { strategy, splices };
}

function requireSense({ old_string: oldText, new_string: newText }: EditRequest): void {
  if (oldText === newText) {
    const message = "old_string and new_string are the same: nothing to change.";
    throw new ToolError("invalid-arguments", message, { details: { reason: "same" } });
  }
  if (oldText === "") {
    throw new ToolError(
      "invalid-arguments",
      "old_string is empty. Give the text to replace; to insert, give the line beside the place and repeat it in new_string. To fill a new or empty file, use write.",
    );
  }
  if (!oldText.isWellFormed()) {
    const message = "old_string has half of a character (a lone surrogate). Send the whole one.";
    throw new ToolError("invalid-arguments", message);
  }
}

function choosePlaces(
  file: FileText,
  places: readonly FoundPlace[],
  about: { path: string; strategy: EditStrategy; all: boolean | undefined },
): readonly FoundPlace[] {
  if (places.length === 1) return places;
  const { path, strategy, all } = about;
  const how = strategy === "exact" ? "" : ` (${howItMatched[strategy]})`;
  const where = `${places.length} places in ${path} have old_string${how}: ${listLines(file.text, places)}.`;
  const details = { reason: "ambiguous", count: places.length };
  if (!all) {
    const remedy = "Add lines around it to tell them apart, or set replace_all.";
    throw conflict(path, `${where} ${remedy}`, details);
  }
  const apart: FoundPlace[] = [];
  for (const place of places) if (place.start >= (apart.at(-1)?.end ?? 0)) apart.push(place);
  if (strategy === "exact" || apart.length === places.length) return apart;
  const remedy = "They overlap, so not all can be replaced. Copy old_string exactly.";
  throw conflict(path, `${where} ${remedy}`, details);
}

/** What is ignored on each rung, for messages. */
export const howItMatched: Readonly<Record<EditStrategy, string>> = {
  exact: "exactly",
  "line-endings": "ignoring line endings",
  "trailing-space": "ignoring space at the end of lines",
  unicode: "taking characters that look alike for the same",
  indentation: "ignoring how far all lines are indented",
  escaping: "ignoring how it is escaped",
  "blank-edges": "ignoring blank lines around it",
};

function toSplice(file: FileText, place: FoundPlace, before: number): Splice {
  // Half of a line ending is not replaced without the other, if that is still there.
  const isInEnding = file.text[place.start] === "\n" && file.text[place.start - 1] === "\r";
  const start = isInEnding && place.start > before ? place.start - 1 : place.start;
  const { end, newText } = place;
  return { start, end, text: file.fit(newText, { start, end }) };
}

const mostListed = 10;

function listLines(text: string, places: readonly FoundPlace[]): string {
  let line = 1;
  let at = 0;
  const numbers = places.slice(0, mostListed).map(({ start }) => {
    line += countBreaks(text, at, start);
    at = start;
    return line;
  });
  const more = places.length - numbers.length;
  return `${numbers.length === 1 ? "line" : "lines"} ${numbers.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function conflict(path: string, message: string, details: ToolError["details"] = {}): ToolError {
  return new ToolError("conflict", message, { absolutePath: path, details });
}
