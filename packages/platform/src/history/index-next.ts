import { type Kysely, sql } from "kysely";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { addToCounts } from "./hourly-counts.ts";
import { indexSlice } from "./index-slice.ts";
import { joinPayloads } from "./payloads.ts";
import type { SearchIndex } from "./search-index.ts";

/**
 * Puts the next invocations that are not in the index yet into it, and counts them. Returns whether
 * there may be more.
 *
 * New rows wait in the table until there are enough of them: to index each group by itself takes
 * several times as long. Who searches brings the index up to date first.
 */
export async function indexNext(
  store: Store,
  index: SearchIndex,
  maxRows: number = indexSlice,
): Promise<boolean> {
  // What a crash loses is indexed again.
  return store.later.transact(async (db) => {
    const from = await findIndexEnd(db, store);
    const found = await db
      .selectFrom("invocations")
      .select(["id", "apart", "seq", "org_id", "tool_id", "source_type", "succeeded"])
      .select(["output", "exception_message", "exception_type", "exception_stack_trace", "printed"])
      .select(["major", "minor", "patch", "created_at", "duration_ms"])
      .where("seq", ">", from)
      .orderBy("seq")
      .limit(maxRows)
      .execute();
    const rows = await joinPayloads(db, found);
    const last = rows.at(-1);
    if (last === undefined) return false;
    await index.add(db, rows);
    await addToCounts(db, store, rows);
    await sql`update invocation_search_state set upto = ${last.seq} where id = 1`.execute(db);
    return rows.length === maxRows;
  });
}

/** Puts all invocations that are not in the index yet into it. */
export async function catchUp(store: Store, index: SearchIndex): Promise<void> {
  // Asking first costs less than to begin a transaction for nothing.
  let hasMore = await isIndexBehind(store);
  while (hasMore) hasMore = await indexNext(store, index);
}

/** Whether there are invocations that are not in the index yet. */
async function isIndexBehind({ db }: Store): Promise<boolean> {
  const { rows } = await sql<{ newest: number | null; upto: number }>`
    select (select max(seq) from invocations) as newest, upto
    from invocation_search_state where id = 1`.execute(db);
  const [state] = rows;
  return state !== undefined && (state.newest ?? 0) > state.upto;
}

/** Where the index ends. In PostgreSQL others wait here until this transaction has ended. */
export async function findIndexEnd(
  db: Kysely<Tables>,
  { kind }: Pick<Store, "kind">,
): Promise<number> {
  const { rows } = await sql<{ upto: number }>`
    select upto from invocation_search_state where id = 1
    ${kind === "postgres" ? sql`for update` : sql``}`.execute(db);
  return rows[0]?.upto ?? 0;
}
