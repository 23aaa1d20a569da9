import { type Kysely, sql } from "kysely";
import { createBatchInsert } from "./batch-insert.ts";
import type { IndexedRow, IndexSearch, SearchIndex } from "./search-index.ts";
import { type SearchField, searchFields, toSearchText } from "./search-query.ts";
import { toScopeWords, toWantedWords } from "./search-scope.ts";
import { toWords } from "./words.ts";

const weights: Readonly<Record<SearchField, string>> = {
  output: "A",
  exception_message: "B",
  exception_type: "C",
  exception_stack_trace: "D",
};

// PostgreSQL keeps no place beyond 16,383, and at most 256 places of a word. The last ones are for
// words of which only the field is known: one for each field.
const lastPlace = 16_379;
const maxPlaces = 250;

// No word begins like these, so no text can pass for them.
const scopeMark = "#";
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
    find: async (db, search) => {
      const { rows } = await sql<{ seq: number }>`
        select seq from invocation_search
        where words @@ ${toTsQuery(search)}::tsquery
          and seq < ${search.before ?? Number.MAX_SAFE_INTEGER}
        order by seq desc limit ${search.limit}`.execute(db);
      return rows.map(({ seq }) => seq);
    },
    isExact: ({ phrases }) => phrases.every(({ length }) => length === 1),
  };
}

/** As PostgreSQL writes a `tsvector`. Words of ours have nothing in them that would need an escape. */
function toVector(row: IndexedRow): string {
  const known = new Map<string, { text: string; places: number; field?: SearchField }>();
  let place = 0;
  let isClipped = false;
  for (const [index, field] of searchFields.entries()) {
    for (const word of toWords(toSearchText(row[field]))) {
      place += 1;
      const entry = known.get(word) ?? { text: `'${word}':`, places: 0 };
      known.set(word, entry);
      const hasRoom = place <= lastPlace && entry.places < maxPlaces;
      if (!hasRoom) isClipped = true;
      if (!hasRoom && entry.field === field) continue;
      const kept = hasRoom ? place : lastPlace + 1 + index;
      entry.text += `${entry.places === 0 ? "" : ","}${kept}${weights[field]}`;
      entry.places += 1;
      entry.field = field;
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
  const quote = (word: string): string => `'${word}':${weight}`;
  const wanted = toWantedWords(scope).map((words) =>
    any(words.map((word) => `'${scopeMark}${word}'`)),
  );
  const phrases = query.phrases.map((words) => {
    const follow = `(${words.map(quote).join(" <-> ")})`;
    // Where not every place is known it will do, for now, that the words occur.
    return words.length === 1 ? follow : any([follow, all([`'${clipped}'`, ...words.map(quote)])]);
  });
  return all([...wanted, ...phrases]);
}

function all(parts: readonly string[]): string {
  return `(${parts.join(" & ")})`;
}

function any(parts: readonly string[]): string {
  return `(${parts.join(" | ")})`;
}
