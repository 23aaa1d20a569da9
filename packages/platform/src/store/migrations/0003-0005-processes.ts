import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Creates the work that API processes request from workers on a shared PostgreSQL database. */
export const createRemoteWork: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    if (kind === "sqlite") return;
    await db.schema
      .createTable("remote_work")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("request", "text", (column) => column.notNull())
      .addColumn("asker", "text", (column) => column.notNull())
      .addColumn("owner", "text")
      .addColumn("result", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
  },
});

/** Adds the master keys of each process, so that a rotation removes none that is still needed. */
export const createProcessKeys: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table processes add column key_ids text`.execute(db);
  },
});

/** Adds what invocations print, of those that ended and of those that run. */
export const addPrinted: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table invocations add column printed text`.execute(db);
    await sql`alter table running_invocations add column printed text`.execute(db);
  },
});
