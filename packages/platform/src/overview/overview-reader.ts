import type { AbortableQueryOptions, Kysely } from "kysely";
import type { SearchIndex } from "../history/search-index.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** What queries of the overview use. They end when the caller disconnects. */
export interface OverviewReader {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly db: Kysely<Tables>;
  readonly options: AbortableQueryOptions;
}

/** Creates what the queries of one request use. */
export function createOverviewReader(
  store: Store,
  index: SearchIndex,
  signal: AbortSignal,
): OverviewReader {
  // SQLite can't be interrupted. Queries that have not begun do not begin.
  const inflightQueryAbortStrategy = store.kind === "postgres" ? "cancel query" : "ignore query";
  return { store, index, db: store.reader, options: { signal, inflightQueryAbortStrategy } };
}

/** How long a request looks for a page before it answers with what it found so far. */
export const pageBudgetMs = 60;
