import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { Tables } from "./schema.ts";

/** Which database holds the rows. */
export type StoreKind = "sqlite" | "postgres";

/** Where everything is kept. */
export interface Store {
  readonly kind: StoreKind;
  readonly db: Kysely<Tables>;
  /** The connections to PostgreSQL, for what speaks its own SQL: the job engine. */
  readonly pool?: Pool;
  /**
   * Another text whenever anything but history may have changed, here or in another process, so
   * that what was read before can be used again; `undefined` where that can't be known quickly.
   */
  generation(): string | undefined;
  /** To be called after every change of anything but history. */
  touch(): void;
  close(): Promise<void>;
}

/** Where a store is. */
export type StoreLocation =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };
