import { type Kysely, sql } from "kysely";
import type { Tables } from "../store/schema.ts";
import { createBatchInsert } from "./batch-insert.ts";
import { indexSlice } from "./index-slice.ts";
import type { IndexedRow, IndexSearch, SearchIndex } from "./search-index.ts";
import { searchFields, toPrintedTexts, toSearchText } from "./search-query.ts";
import { toScopeWords, toWantedWords } from "./search-scope.ts";
import { toPlainText } from "./words.ts";

/** The index of SQLite: its own full-text search, fed with words of ours. */
export function createSqliteSearchIndex(): SearchIndex {
  const insert = createBatchInsert<IndexedRow>({
    table: "invocation_search",
    columns: ["rowid", "scope", ...searchFields],
    // At every statement with several rows the index writes down what it would rather have gathered
    // until the end. So there is one statement if it can be.
    maxRows: indexSlice,
    addValues: (row, values) => {
      const printed = toPrintedTexts(row.printed).map(toMarkedText);
      values.push(row.seq, [...toScopeWords(row), ...printed].join(" "));
      for (const field of searchFields) {
        const text = row[field];
        values.push(text === null ? null : toPlainText(toSearchText(text)));
      }
    },
  });
  let isMerging = false;
  return {
    add: (db, rows) => insert(db as unknown as Kysely<never>, rows),
    remove: async (db, seqs) => {
      if (seqs.length === 0) return;
      await sql`delete from invocation_search where rowid in (${sql.join(seqs)})`.execute(db);
    },
    compact: async (db) => {
      const before = await countChanges(db);
      // A negative number begins to merge everything, a positive one goes on with that.
      await mergePages(db, isMerging ? mergedPages : -mergedPages);
      isMerging = (await countChanges(db)) - before >= 2;
      return isMerging;
    },
    find: async (db, search, options) => {
      const { rows } = await sql<{ seq: number }>`
        select rowid as seq from invocation_search
        where invocation_search match ${toMatch(search)}
          and rowid < ${search.before ?? Number.MAX_SAFE_INTEGER} and rowid > ${search.after ?? 0}
        order by rowid desc limit ${search.limit}`.execute(db, options);
      return rows.map(({ seq }) => seq);
    },
    isExact: () => true,
  };
}

// What a tool printed stands in the column of the scope, whose own words begin with other letters. So
// the table needs no other column, and rows that print nothing cost nothing.
const printedMark = "p";
const word = /[A-Za-z0-9\x80-\uffff]+/g;

/** The text with a mark before each word, and one behind them, where the stream ends. */
function toMarkedText(text: string): string {
  return `${toPlainText(text).replace(word, `${printedMark}$&`)} ${printedMark}`;
}

// Small, so that other queries do not wait long.
const mergedPages = 64;

async function mergePages(db: Kysely<Tables>, pages: number): Promise<void> {
  await sql`insert into invocation_search (invocation_search, rank)
    values ('merge', ${pages})`.execute(db);
}

/** A merge that had nothing to do changes less than two rows. */
async function countChanges(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Every word stands in quotes: no text that somebody typed is ever read as syntax. */
function toMatch({ query, scope }: IndexSearch): string {
  const wanted = toWantedWords(scope).map(
    (words) => `scope : (${words.map((word) => `"${word}"`).join(" OR ")})`,
  );
  const fields = query.fields.join(" ");
  const phrases = query.phrases.map((words) => {
    const marked = words.map((word) => printedMark + word);
    const places = [
      ...(query.fields.length > 0 ? [`{${fields}} : "${words.join(" ")}"`] : []),
      // They stand beside the words of the scope.
      ...(query.inPrinted ? [`scope : "${marked.join(" ")}"`] : []),
    ];
    return `(${places.join(" OR ")})`;
  });
  return [...wanted, ...phrases].join(" AND ");
}
