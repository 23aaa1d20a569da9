import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Adds a table for large payloads of invocations, and how long organizations keep history. */
export const addRoom: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table invocations add column apart text`.execute(db);
    await db.schema
      .createTable("invocation_payloads")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("part", "text", (column) => column.notNull())
      .addColumn("data", kind === "sqlite" ? "blob" : "bytea", (column) => column.notNull())
      .addPrimaryKeyConstraint("invocation_payloads_pk", ["id", "part"])
      .execute();
    if (kind === "sqlite") {
      // Removed entries are merged away in small steps after a deletion, not during it.
      await sql`insert into invocation_search (invocation_search, rank)
        values ('deletemerge', 0)`.execute(db);
    }
    await db.schema
      .createTable("retention")
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("tool_id", "text", (column) => column.notNull())
      .addColumn("days", "integer")
      .addColumn("count", "integer")
      .addColumn("updated_by_user_id", "text", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("retention_pk", ["org_id", "tool_id"])
      .execute();
  },
});
