import type { StoreKind } from "../store/store.ts";
import { createPostgresSearchIndex } from "./postgres-search-index.ts";
import type { SearchIndex } from "./search-index.ts";
import { createSqliteSearchIndex } from "./sqlite-search-index.ts";

/** The full-text index of a store of this kind. */
export function openSearchIndex(kind: StoreKind): SearchIndex {
  return kind === "sqlite" ? createSqliteSearchIndex() : createPostgresSearchIndex();
}
