import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Adds the pointer `latest` with its history, candidates, canaries, and the links of retries. */
export const addVersionPointers: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table tools add column latest_version_id text`.execute(db);
    await sql`alter table tool_versions add column candidate integer not null default 0`.execute(
      db,
    );
    // It must hold all that choosing a version takes, so that manifests are not read.
    await sql`drop index tool_versions_heads`.execute(db);
    await sql`create index tool_versions_heads on tool_versions
      (tool_id, deprecated, major, minor, patch, sequence, created_at, creator_user_id, id,
       candidate)`.execute(db);

    await db.schema
      .createTable("latest_moves")
      .addColumn("seq", kind === "sqlite" ? "integer" : "bigserial", (column) =>
        column.primaryKey(),
      )
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("tool_id", "text", (column) => column.notNull())
      .addColumn("from_version", "text")
      .addColumn("to_version", "text")
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create index latest_moves_by_tool on latest_moves (tool_id, seq)`.execute(db);

    await db.schema
      .createTable("canaries")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("tool_id", "text", (column) => column.notNull())
      .addColumn("version_id", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("percent", "integer", (column) => column.notNull())
      .addColumn("abort_if", "text", (column) => column.notNull())
      .addColumn("calls", "bigint", (column) => column.notNull())
      .addColumn("errors", "bigint", (column) => column.notNull())
      .addColumn("stable_calls", "bigint", (column) => column.notNull())
      .addColumn("stable_errors", "bigint", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint")
      .addColumn("outcome", "text")
      .execute();
    // One canary at a time per tool.
    await sql`create unique index canaries_under_way on canaries (tool_id)
      where ended_at is null`.execute(db);
    await sql`create index canaries_by_tool on canaries (tool_id, started_at)`.execute(db);

    await sql`alter table invocations add column retry_of text`.execute(db);
    await sql`alter table invocations add column unrecorded text`.execute(db);
    await sql`create index invocations_by_retry on invocations (retry_of)
      where retry_of is not null`.execute(db);
  },
});
