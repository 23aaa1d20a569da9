import { ToolError } from "@haft/contract";
import { clipText, countBreaks } from "@haft/contract/internal";
import type { Splice } from "../text/text-document.ts";
import { removeFence } from "./code-fence.ts";
import { describeNearest } from "./describe-nearest.ts";
import type { FileText } from "./file-text.ts";
import { climbLadder, type EditStrategy, type FoundMatch, type Replacement } from "./ladder.ts";
import { mendEdges } from "./mend-edges.ts";
import { tellApart } from "./tell-apart.ts";

/** One replacement, as a model requests it. */
export interface EditRequest {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** The changes of an edit to a text. */
export interface EditPlan {
  readonly strategy: EditStrategy;
  readonly splices: readonly Splice[];
  /** What was put right, or what the caller may not have meant. */
  readonly notes: readonly string[];
}

/**
 * Finds the match of an edit, or all matches with `replace_all`. Throws if there is none, or if it is
 * ambiguous. With `replace_all`, exact matches are taken from left to right; those of a later rung
 * must not overlap.
 */
export function planEdit(file: FileText, request: EditRequest, path: string): EditPlan {
  // A byte order mark belongs to the file, not to its text.
  const oldText = request.old_string.replace(/^\ufeff/u, "");
  const sent = request.new_string.replace(/^\ufeff/u, "");
  const notes = new Set<string>();
  const newText = dropFence(file, { oldText, newText: sent }, notes);
  requireSense({ oldText, newText });
  const finding = climbLadder(file, { oldText, newText });
  if (finding?.strategy !== "exact") requireReady(file, { oldText, newText }, path);
  if (finding === undefined) {
    const nearest = describeNearest(file, oldText);
    throw conflict(path, `old_string was not found in ${path}.${nearest}`, { reason: "no-match" });
  }
  const { strategy } = finding;
  const places = choosePlaces(file, finding.places, { path, strategy, all: request.replace_all });
  // If only the line endings differ, the edit is about them.
  const isLiteral = strategy === "exact" && file.toPlain(oldText) === file.toPlain(newText);
  const splices: Splice[] = [];
  for (const place of places) {
    const before = splices.at(-1)?.end ?? 0;
    if (isLiteral) {
      splices.push({ start: place.start, end: place.end, text: newText });
      continue;
    }
    const { splice, note } = mendEdges(file.text, toSplice(file, place, before));
    splices.push(splice);
    if (note !== undefined) notes.add(note);
  }
  if (splices.every(({ start, end, text }) => file.text.slice(start, end) === text)) {
    throw conflict(
      path,
      `Nothing to change: ${path} already has new_string in place of old_string.`,
    );
  }
  return { strategy, splices, notes: [...notes] };
}

/** Removes a code fence that only the new text has, if the file has none anywhere. */
function dropFence(file: FileText, { oldText, newText }: Replacement, notes: Set<string>): string {
  if (!/^\s*(?:```|~~~)/u.test(newText) || /^\s*(?:```|~~~)/u.test(oldText)) return newText;
  const inside = removeFence(file.toPlain(newText).split("\n"));
  if (inside === undefined || /```|~~~/u.test(file.text)) return newText;
  notes.add("The code fence around new_string was left out.");
  return inside.join("\n");
}

function requireSense({ oldText, newText }: Replacement): void {
  if (oldText === newText) {
    const message = "Nothing to change: old_string and new_string are the same.";
    throw new ToolError("invalid-arguments", message, { details: { reason: "same" } });
  }
  if (oldText === "") {
    throw new ToolError(
      "invalid-arguments",
      "old_string is empty. Give the text to replace; to insert, give an adjacent line and repeat it in new_string.",
      { remedy: "To fill a new or empty file, use `write`." },
    );
  }
  if (!oldText.isWellFormed()) {
    const message =
      "old_string contains half a character (a lone surrogate). Send the whole character.";
    throw new ToolError("invalid-arguments", message);
  }
  const line = newText.split("\n").find((each) => placeholder.test(each));
  if (line !== undefined && !oldText.includes(line.trim())) {
    throw new ToolError(
      "invalid-arguments",
      `new_string contains a placeholder: ${clipText(line.trim(), maxShown)}. It would be written as it stands. Write out these lines, or leave them out of old_string and new_string.`,
      { details: { reason: "placeholder" } },
    );
  }
}

const maxShown = 100;
// A comment such as "// ... existing code ..." or "# … rest unchanged". Three dots alone can be code.
const placeholder =
  /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\s*\/\*)\s*(?:\.{3}|\u2026).*\b(?:existing|rest|remaining|unchanged|omitted|previous|same as)\b/iu;

/** Refuses what can't be found exactly, because it was made already or is part of a diff. */
function requireReady(file: FileText, { oldText, newText }: Replacement, path: string): void {
  const isTelling = newText.trim().length >= minTelling && !oldText.includes(newText.trim());
  if (isTelling && file.text.includes(newText)) {
    throw conflict(
      path,
      `Nothing to change: ${path} has no old_string, and has new_string already.`,
      { reason: "already-made" },
    );
  }
  const [old, now] = [oldText, newText].map((text) =>
    text.split("\n").filter((line) => line.trim() !== ""),
  ) as [string[], string[]];
  const isDiff =
    old.every((line) => /^[ -]/u.test(line)) &&
    now.every((line) => /^[ +-]/u.test(line)) &&
    now.some((line) => /^[+-]/u.test(line));
  if (isDiff) {
    throw conflict(
      path,
      `old_string was not found in ${path}, and new_string has the signs of a diff (+ and -) in front of its lines. Send the lines without them.`,
      { reason: "diff", remedy: "For a diff, use `apply_patch`." },
    );
  }
}

// A shorter text can be there by chance.
const minTelling = 8;

function choosePlaces(
  file: FileText,
  places: readonly FoundMatch[],
  about: { path: string; strategy: EditStrategy; all: boolean | undefined },
): readonly FoundMatch[] {
  if (places.length === 1) return places;
  const { path, strategy, all } = about;
  const how = strategy === "exact" ? "" : ` (${howItMatched[strategy]})`;
  const where = `old_string occurs ${places.length} times in ${path}${how}: ${listLines(file.text, places)}.`;
  const details = { reason: "ambiguous", count: places.length };
  if (strategy === "escaping" && places.every(({ start }) => start === places[0]?.start)) {
    throw conflict(
      path,
      `old_string occurs in ${path} with other escapes, and it is not clear how to read the escapes of new_string. Copy old_string exactly from the file, and write new_string as it should stand there.`,
      details,
    );
  }
  if (!all) {
    const remedy = "Add surrounding lines to make it unique, or set replace_all.";
    const apart = tellApart(file.toLined(), places).join("\n");
    throw conflict(path, `${where} ${remedy}\n${apart}`, details);
  }
  const apart: FoundMatch[] = [];
  for (const place of places) if (place.start >= (apart.at(-1)?.end ?? 0)) apart.push(place);
  if (strategy === "exact" || apart.length === places.length) return apart;
  const remedy = "They overlap, so not all can be replaced. Copy old_string exactly.";
  throw conflict(path, `${where} ${remedy}`, details);
}

/** What each rung ignores, for messages. */
export const howItMatched: Readonly<Record<EditStrategy, string>> = {
  exact: "exactly",
  "line-endings": "ignoring line endings",
  "trailing-space": "ignoring trailing space",
  unicode: "treating look-alike characters as equal",
  indentation: "ignoring the indentation of all lines",
  escaping: "ignoring escaping",
  "blank-edges": "ignoring blank lines around it",
  spacing: "ignoring space between words and signs",
  "line-numbers": "without the line numbers in front of its lines",
  "code-fence": "without the code fence around it",
  formatting: "ignoring the formatting of the lines that stay",
};

function toSplice(file: FileText, place: FoundMatch, before: number): Splice {
  // Do not replace half of a line ending without the other.
  const isInEnding = file.text[place.start] === "\n" && file.text[place.start - 1] === "\r";
  const start = isInEnding && place.start > before ? place.start - 1 : place.start;
  const { end, newText } = place;
  return { start, end, text: file.fit(newText, { start, end }) };
}

const maxListed = 10;

function listLines(text: string, places: readonly FoundMatch[]): string {
  let line = 1;
  let at = 0;
  const numbers = places.slice(0, maxListed).map(({ start }) => {
    line += countBreaks(text, at, start);
    at = start;
    return line;
  });
  const more = places.length - numbers.length;
  return `${numbers.length === 1 ? "line" : "lines"} ${numbers.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function conflict(
  path: string,
  message: string,
  { remedy, ...details }: ToolError["details"] & { readonly remedy?: string } = {},
): ToolError {
  return new ToolError("conflict", message, {
    absolutePath: path,
    details,
    ...(remedy !== undefined && { remedy }),
  });
}
