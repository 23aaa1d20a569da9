import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Adds who invoked a tool: the key, its user and the client. */
export const addCallers: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable("callers")
      .addColumn("id", kind === "sqlite" ? "integer" : "bigserial", (column) => column.primaryKey())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("key_id", "text", (column) => column.notNull())
      .addColumn("key_name", "text")
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("client", "text", (column) => column.notNull())
      .execute();
    await sql`create unique index callers_one on callers (org_id, key_id, client)`.execute(db);
    await sql`alter table invocations add column caller bigint`.execute(db);
    await sql`create index invocations_by_caller
      on invocations (org_id, caller, seq) where caller is not null`.execute(db);
  },
});

/** Makes the audit trail of each organization a chain of hashes. Lines that are there stay outside it. */
export const chainAudit: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table audit add column number bigint`.execute(db);
    await sql`alter table audit add column previous_hash text`.execute(db);
    await sql`alter table audit add column hash text`.execute(db);
    await sql`create unique index audit_one_number on audit (org_id, number)`.execute(db);
    await db.schema
      .createTable("audit_chains")
      .addColumn("org_id", "text", (column) => column.primaryKey())
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("hash", "text")
      .execute();
  },
});

/** Adds permissions that narrow a key, and tool sets. */
export const addToolSets: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table api_keys add column permissions text`.execute(db);
    await db.schema
      .createTable("tool_sets")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("org_id", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("instructions", "text", (column) => column.notNull())
      .addColumn("creator_user_id", "text", (column) => column.notNull())
      .addColumn("updated_by_user_id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create unique index tool_sets_one_name on tool_sets (org_id, name)`.execute(db);
    await db.schema
      .createTable("tool_set_tools")
      .addColumn("set_id", "text", (column) => column.notNull())
      .addColumn("position", "integer", (column) => column.notNull())
      .addColumn("tool_id", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("name", "text")
      .addColumn("instructions", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("tool_set_tools_pk", ["set_id", "position"])
      .execute();
    await sql`create index tool_set_tools_by_tool on tool_set_tools (tool_id, set_id)`.execute(db);
  },
});
