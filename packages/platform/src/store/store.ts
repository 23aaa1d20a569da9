import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { LaterFlush } from "./later-flush.ts";
import type { Tables } from "./schema.ts";
import type { FileShrinker } from "./shrink-file.ts";
import type { StoreFailure } from "./store-failure.ts";

/** The kind of database. */
export type StoreKind = "sqlite" | "postgres";

/** The database of a platform. */
export interface Store {
  readonly kind: StoreKind;
  readonly db: Kysely<Tables>;
  /**
   * Only reads, for queries that may take long. On SQLite they run in other threads, so that this one
   * goes on serving requests. It sees every transaction that was committed before the query.
   */
  readonly reader: Kysely<Tables>;
  /** The PostgreSQL connections, for the job engine, which writes its own SQL. */
  readonly pool?: Pool;
  /**
   * Returns a text that changes whenever anything but history may have changed, in this process or
   * another. Caches compare it. `undefined` on PostgreSQL, where asking would take a query.
   */
  generation(): string | undefined;
  /** Changes the generation. Call it after every change of anything but history. */
  touch(): void;
  /** For frequent changes whose callers wait for `flush`. */
  readonly later: Pick<LaterFlush, "transact" | "flush">;
  /** Shrinks the database's file. PostgreSQL does that by itself. */
  readonly shrinker?: FileShrinker;
  /** Calls a listener whenever the database fails. */
  watchFailures(listener: (failure: StoreFailure) => void): void;
  close(): Promise<void>;
}

/** Where a store is. */
export type StoreLocation =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };
