import type { Kysely } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** What API processes ask of workers, which share a PostgreSQL database with them. */
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
