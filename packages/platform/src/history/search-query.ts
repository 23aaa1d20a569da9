import { InvalidRequest } from "../problem.ts";
import type { PrintedOutput } from "../runner/printed-output.ts";
import type { InvocationRow } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import { toWords, unescapeJson } from "./words.ts";

/** What of an invocation can be searched. */
export const searchFields = [
  "output",
  "exception_message",
  "exception_type",
  "exception_stack_trace",
] as const;

/** One of the texts of an invocation. */
export type SearchField = (typeof searchFields)[number];

/** What a search has to know of an invocation. `printed` is read only if it is searched. */
export type SearchedRow = Pick<InvocationRow, SearchField> & { readonly printed?: string | null };

/** What somebody looks for: every phrase must occur in one of the fields, or in what was printed. */
export interface SearchQuery {
  /** Words that follow each other; of a plain word only that. */
  readonly phrases: readonly (readonly string[])[];
  readonly fields: readonly SearchField[];
  /** Whether to look at what the tool printed, too. */
  readonly inPrinted: boolean;
}

// What people type is short. What is long is meant to keep us busy.
const maxCharacters = 1_000;
const maxWords = 50;

/**
 * Understands words and "phrases in quotes"; nothing else has a meaning, so nothing is wrong with
 * any text that has a word. Throws an `InvalidRequest` for one that has none, or too many.
 */
export function toSearchQuery(
  text: string,
  fields: readonly SearchField[] = searchFields,
  inPrinted = true,
): SearchQuery {
  if (text.length > maxCharacters) {
    throw invalid(`The query is longer than ${maxCharacters} characters. Give fewer words.`);
  }
  // Every second part is in quotes. An unclosed quote is ignored.
  const parts = text.split('"');
  const phrases = parts
    .flatMap((part, index) => {
      const isQuoted = index % 2 === 1 && index < parts.length - 1;
      return isQuoted ? [part] : part.split(/\s+/);
    })
    .map(toWords)
    .filter((words) => words.length > 0);
  if (phrases.length === 0) {
    throw invalid('The query has no word. Give words, or a "phrase in quotes", to look for.');
  }
  if (phrases.flat().length > maxWords) {
    throw invalid(`The query has more than ${maxWords} words. Give fewer.`);
  }
  return { phrases, fields, inPrinted };
}

/** Whether an invocation is one of those that somebody looks for. */
export function matchesQuery(
  { phrases, fields, inPrinted }: SearchQuery,
  row: SearchedRow,
): boolean {
  const all = fields.map((field) => toSearchText(row[field]));
  if (inPrinted) all.push(...toPrintedTexts(row.printed));
  // The spaces tell where words begin and end.
  const texts = all.map((text) => ` ${toWords(text).join(" ")} `);
  return phrases.every((words) => {
    const wanted = ` ${words.join(" ")} `;
    return texts.some((text) => text.includes(wanted));
  });
}

/** What a field of a row says. */
export function toSearchText(value: string | null): string {
  return value === null ? "" : unescapeJson(value);
}

/** What a tool printed to each stream, from its column. */
export function toPrintedTexts(printed: string | null | undefined): readonly string[] {
  const output = readStoredJsonOr<Partial<PrintedOutput> | null>(
    printed ?? "null",
    null,
    () => true,
  );
  return [output?.stdout?.text, output?.stderr?.text].filter((text) => typeof text === "string");
}

function invalid(msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["query", "query"], msg, type: "value_error" }]);
}
