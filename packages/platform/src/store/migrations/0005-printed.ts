import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Adds what invocations print, of those that ended and of those that run. */
export const addPrinted: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table invocations add column printed text`.execute(db);
    await sql`alter table running_invocations add column printed text`.execute(db);
  },
});
