import type { Migration } from "kysely/migration";
import type { StoreKind } from "./store.ts";

/** A step from one form of the tables to the next, for both kinds of store. */
export type StoreMigration = (kind: StoreKind) => Migration;
