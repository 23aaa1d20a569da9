import { type Kysely, sql } from "kysely";
import type { Tables } from "../store/schema.ts";
import { createBatchInsert } from "./batch-insert.ts";
import { indexSlice } from "./index-slice.ts";
import type { IndexedRow, IndexSearch, SearchIndex } from "./search-index.ts";
import { searchFields, toSearchText } from "./search-query.ts";
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
      values.push(row.seq, toScopeWords(row).join(" "));
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
    find: async (db, search) => {
      const { rows } = await sql<{ seq: number }>`
        select rowid as seq from invocation_search
        where invocation_search match ${toMatch(search)}
          and rowid < ${search.before ?? Number.MAX_SAFE_INTEGER}
        order by rowid desc limit ${search.limit}`.execute(db);
      return rows.map(({ seq }) => seq);
    },
    isExact: () => true,
  };
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
  const phrases = query.phrases.map((words) => `"${words.join(" ")}"`);
  const fields = query.fields.join(" ");
  return [...wanted, `{${fields}} : (${phrases.join(" AND ")})`].join(" AND ");
}
