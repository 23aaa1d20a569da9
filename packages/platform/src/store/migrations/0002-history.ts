import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Creates the history of invocations, in the order in which they ended, and its full-text index. */
export const createHistory: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable("invocations")
      // Numbers are never reused: pages and the index refer to them.
      .addColumn("seq", kind === "sqlite" ? "integer" : "bigserial", (column) =>
        kind === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey(),
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
    await sql`create unique index invocations_one_id on invocations (id)`.execute(db);
    // What stands behind `seq` lets a page be chosen without looking at the rows themselves.
    await sql`create index invocations_by_org
      on invocations (org_id, seq, source_type, succeeded, duration_ms)`.execute(db);
    await sql`create index invocations_by_tool
      on invocations (org_id, tool_id, seq, major, minor, patch, source_type, succeeded, duration_ms)`.execute(
      db,
    );
    await sql`create index invocations_by_conversation
      on invocations (org_id, conversation_id, seq) where conversation_id is not null`.execute(db);
    await sql`create index invocations_by_simulation
      on invocations (org_id, simulation_run_id, seq) where simulation_run_id is not null`.execute(
      db,
    );
    await sql`create index invocations_failed
      on invocations (org_id, succeeded, seq, tool_id, source_type) where succeeded = 0`.execute(
      db,
    );
    await db.schema
      .createTable("running_invocations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("draft", "text", (column) => column.notNull())
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .execute();
    // Tells a process of this machine from a later one with the same number.
    await sql`alter table processes add column mark text`.execute(db);
    await createSearch(db, kind);
  },
});

async function createSearch(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  if (kind === "sqlite") {
    // Words are told apart by us, so the quickest tokenizer will do. The texts stay in their rows.
    await sql`create virtual table invocation_search using fts5(
      scope, output, exception_message, exception_type, exception_stack_trace,
      content = '', contentless_delete = 1, tokenize = 'ascii')`.execute(db);
    // Merging its parts less often costs less while writing, and a search next to nothing.
    await sql`insert into invocation_search (invocation_search, rank)
      values ('automerge', 8)`.execute(db);
  } else {
    await sql`create table invocation_search (seq bigint primary key, words tsvector not null)`.execute(
      db,
    );
    await sql`create index invocation_search_words on invocation_search using gin (words)`.execute(
      db,
    );
  }
  // The index holds what stands up to here.
  await sql`create table invocation_search_state (id integer primary key, upto bigint not null)`.execute(
    db,
  );
  await sql`insert into invocation_search_state (id, upto) values (1, 0)`.execute(db);
}
