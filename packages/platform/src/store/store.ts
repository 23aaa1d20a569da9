import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/** Which database holds the rows. */
export type StoreKind = "sqlite" | "postgres";

/** Where everything is kept. */
export interface Store {
  readonly kind: StoreKind;
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

/** Where a store is. */
export type StoreLocation =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };
