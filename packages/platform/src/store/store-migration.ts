import type { Migration } from "kysely/migration";
import type { StoreKind } from "./store.ts";

/** A migration for both kinds of store. */
export type StoreMigration = (kind: StoreKind) => Migration;
