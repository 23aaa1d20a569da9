import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Adds sign-ins of browsers, and the index that lists and charts of invocations read. */
export const addConsole: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable("console_sessions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("key_id", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("client", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create unique index console_sessions_one on console_sessions (hash)`.execute(db);
    await sql`create index console_sessions_by_key on console_sessions (org_id, key_id)`.execute(
      db,
    );
    // Everything that a list or a chart filters by, so that neither reads inputs and outputs.
    await sql`create index invocations_by_time on invocations (org_id, created_at, seq, tool_id,
      succeeded, source_type, caller, duration_ms, major, minor, patch)`.execute(db);
  },
});
