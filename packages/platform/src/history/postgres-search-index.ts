import { type Kysely, sql } from "kysely";
import { createBatchInsert } from "./batch-insert.ts";
import type { IndexedRow, IndexSearch, SearchIndex } from "./search-index.ts";
import { type SearchField, searchFields, toPrintedTexts, toSearchText } from "./search-query.ts";
import { toScopeWords, toWantedWords } from "./search-scope.ts";
import { toWords } from "./words.ts";

const weights: Readonly<Record<SearchField, string>> = {
  output: "A",
  exception_message: "B",
  exception_type: "C",
  exception_stack_trace: "D",
};

// PostgreSQL keeps no place beyond 16,383, and at most 256 places of a word. The last ones are for
// words of which only the field is known: one for each field, and one for what was printed.
const lastPlace = 16_378;
const maxPlaces = 250;

// No word begins like these, so no text can pass for them.
const scopeMark = "#";
/** Stands before each word of what a tool printed, because every weight has a field. */
const printedMark = "~";
/** Stands with a text of which not every place is known. */
const clipped = "!";

/** The index of PostgreSQL: one `tsvector` in which each field has a weight of its own. */
export function createPostgresSearchIndex(): SearchIndex {
  const insert = createBatchInsert<IndexedRow>({
    table: "invocation_search",
    columns: ["seq", "words"],
    addValues: (row, values) => values.push(row.seq, toVector(row)),
  });
  return {
    add: (db, rows) => insert(db as unknown as Kysely<never>, rows),
    remove: async (db, seqs) => {
      if (seqs.length === 0) return;
      await sql`delete from invocation_search where seq in (${sql.join(seqs)})`.execute(db);
    },
    find: async (db, search, options) => {
      const { rows } = await sql<{ seq: number }>`
        select seq from invocation_search
        where words @@ ${toTsQuery(search)}::tsquery
          and seq < ${search.before ?? Number.MAX_SAFE_INTEGER} and seq > ${search.after ?? 0}
        order by seq desc limit ${search.limit}`.execute(db, options);
      return rows.map(({ seq }) => seq);
    },
    isExact: ({ phrases }) => phrases.every(({ length }) => length === 1),
  };
}

/** The words of a text with their marks, and a mark behind them, where the stream ends. */
function toMarkedWords(text: string): string[] {
  return [...toWords(text).map((word) => printedMark + word), printedMark];
}

/** As PostgreSQL writes a `tsvector`. Words of ours have nothing in them that would need an escape. */
function toVector(row: IndexedRow): string {
  const known = new Map<string, { text: string; places: number; index?: number }>();
  let place = 0;
  let isClipped = false;
  const texts = [
    ...searchFields.map((field) => ({
      words: toWords(toSearchText(row[field])),
      weight: weights[field],
    })),
    { words: toPrintedTexts(row.printed).flatMap(toMarkedWords), weight: "" },
  ];
  for (const [index, { words, weight }] of texts.entries()) {
    for (const word of words) {
      place += 1;
      const entry = known.get(word) ?? { text: `'${word}':`, places: 0 };
      known.set(word, entry);
      const hasRoom = place <= lastPlace && entry.places < maxPlaces;
      if (!hasRoom) isClipped = true;
      if (!hasRoom && entry.index === index) continue;
      const kept = hasRoom ? place : lastPlace + 1 + index;
      entry.text += `${entry.places === 0 ? "" : ","}${kept}${weight}`;
      entry.places += 1;
      entry.index = index;
    }
    // Words of two fields do not follow each other.
    place += 1;
  }
  const marks = toScopeWords(row).map((word) => scopeMark + word);
  if (isClipped) marks.push(clipped);
  return [
    ...marks.map((mark) => `'${mark}'`),
    ...Array.from(known.values(), ({ text }) => text),
  ].join(" ");
}

function toTsQuery({ query, scope }: IndexSearch): string {
  const weight = query.fields.map((field) => weights[field]).join("");
  const inFields = (word: string): string => `'${word}':${weight}`;
  const inPrinted = (word: string): string => `'${printedMark}${word}'`;
  const quotes = [
    ...(query.fields.length > 0 ? [inFields] : []),
    ...(query.inPrinted ? [inPrinted] : []),
  ];
  const wanted = toWantedWords(scope).map((words) =>
    any(words.map((word) => `'${scopeMark}${word}'`)),
  );
  const toPhrase = (words: readonly string[], quote: (word: string) => string): string => {
    const follow = `(${words.map(quote).join(" <-> ")})`;
    // Where not every place is known it will do, for now, that the words occur.
    return words.length === 1 ? follow : any([follow, all([`'${clipped}'`, ...words.map(quote)])]);
  };
  const phrases = query.phrases.map((words) => any(quotes.map((quote) => toPhrase(words, quote))));
  return all([...wanted, ...phrases]);
}

function all(parts: readonly string[]): string {
  return `(${parts.join(" & ")})`;
}

function any(parts: readonly string[]): string {
  return `(${parts.join(" | ")})`;
}
