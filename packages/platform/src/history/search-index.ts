import type { AbortableQueryOptions, Kysely } from "kysely";
import type { InvocationRow, Tables } from "../store/schema.ts";
import type { SearchField, SearchQuery } from "./search-query.ts";
import type { SearchScope } from "./search-scope.ts";

/** What the index knows of an invocation. */
export type IndexedRow = Pick<
  InvocationRow,
  "org_id" | "tool_id" | "source_type" | "succeeded" | SearchField
> & { readonly seq: number; readonly printed?: string | null };

/** What to look for, and where. */
export interface IndexSearch {
  readonly query: SearchQuery;
  readonly scope: SearchScope;
  /** Only those before this one. */
  readonly before: number | undefined;
  /** Only those after this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** A full-text index over invocations. */
export interface SearchIndex {
  add(db: Kysely<Tables>, rows: readonly IndexedRow[]): Promise<void>;
  remove(db: Kysely<Tables>, seqs: readonly number[]): Promise<void>;
  /** Frees some of the room of removed entries. Returns whether there may be more. */
  compact?(db: Kysely<Tables>): Promise<boolean>;
  /** The newest first. */
  find(
    db: Kysely<Tables>,
    search: IndexSearch,
    options?: AbortableQueryOptions,
  ): Promise<readonly number[]>;
  /** Whether what is found for the query is what was meant, without another look at the rows. */
  isExact(query: SearchQuery): boolean;
}
