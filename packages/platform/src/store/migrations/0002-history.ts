import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** What was invoked, in the order in which it ended, and a full-text index over it. */
export const createHistory: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable("invocations")
      .addColumn("seq", kind === "sqlite" ? "integer" : "bigserial", (column) =>
        column.primaryKey(),
      )
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("tool_id", "text", (column) => column.notNull())
      .addColumn("major", "integer", (column) => column.notNull())
      .addColumn("minor", "integer", (column) => column.notNull())
      .addColumn("patch", "integer", (column) => column.notNull())
      .addColumn("source_type", "text", (column) => column.notNull())
      .addColumn("user_id", "text")
      .addColumn("conversation_id", "text")
      .addColumn("interaction_id", "text")
      .addColumn("simulation_run_id", "text")
      .addColumn("unit_test_id", "text")
      .addColumn("run_index", "integer")
      .addColumn("source_metadata", "text")
      .addColumn("mode", "text", (column) => column.notNull())
      .addColumn("succeeded", "integer", (column) => column.notNull())
      .addColumn("output", "text")
      .addColumn("exception_type", "text")
      .addColumn("exception_message", "text")
      .addColumn("exception_stack_trace", "text")
      .addColumn("inputs", "text", (column) => column.notNull())
      .addColumn("duration_ms", "integer", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create index invocations_by_org on invocations (org_id, seq)`.execute(db);
    await sql`create index invocations_by_tool on invocations (tool_id, seq)`.execute(db);
    await sql`create index invocations_by_conversation on invocations (conversation_id, seq)
      where conversation_id is not null`.execute(db);
    await sql`create index invocations_by_simulation on invocations (simulation_run_id, seq)
      where simulation_run_id is not null`.execute(db);
    await db.schema
      .createTable("running_invocations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("draft", "text", (column) => column.notNull())
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .execute();
  },
});
