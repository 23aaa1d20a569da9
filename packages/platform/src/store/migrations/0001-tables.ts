import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Creates all tables except those of history. */
export const createTables: StoreMigration = (kind) => {
  const bytes = kind === "sqlite" ? "blob" : "bytea";
  return {
    up: async (db: Kysely<unknown>) => {
      await table(db, "organizations", ["id", "name"], ["created_at"]).execute();
      await unique(db, "organizations", ["name"]);

      await table(db, "users", ["id", "org_id", "name"], ["created_at"]).execute();
      await index(db, "users", ["org_id"]);

      await table(db, "roles", ["id", "org_id", "name", "permissions"], ["created_at"]).execute();
      await unique(db, "roles", ["org_id", "name"]);

      await table(
        db,
        "api_keys",
        ["id", "key_id", "org_id", "user_id", "role_id", "creator_user_id", "hash"],
        ["created_at", "updated_at", "expires_at"],
      )
        .addColumn("name", "text")
        .execute();
      await unique(db, "api_keys", ["key_id"]);
      await unique(db, "api_keys", ["hash"]);
      await index(db, "api_keys", ["org_id"]);

      await db.schema
        .createTable("user_variables")
        .addColumn("org_id", "text", (column) => column.notNull())
        .addColumn("user_id", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("is_secret", "integer", (column) => column.notNull())
        .addColumn("value", "text", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("user_variables_pk", ["org_id", "user_id", "name"])
        .execute();

      await table(
        db,
        "tools",
        ["id", "org_id", "name", "description", "creator_user_id", "updated_by_user_id"],
        ["deprecated", "created_at", "updated_at"],
      ).execute();
      await db.schema
        .createIndex("tools_live_name")
        .on("tools")
        .columns(["org_id", "name"])
        .unique()
        .where("deprecated" as never, "=", 0)
        .execute();
      await index(db, "tools", ["org_id", "created_at", "id"]);
      // Names are sorted by their bytes in both.
      const byBytes = sql.raw(kind === "sqlite" ? "binary" : '"C"');
      await sql`create index tools_by_name on tools (org_id, name collate ${byBytes}, id)`.execute(
        db,
      );

      await db.schema
        .createTable("tool_tags")
        .addColumn("tool_id", "text", (column) => column.notNull())
        .addColumn("org_id", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("value", "text")
        .addPrimaryKeyConstraint("tool_tags_pk", ["tool_id", "key"])
        .execute();
      await index(db, "tool_tags", ["org_id", "key", "value"]);

      await db.schema
        .createTable("tool_variables")
        .addColumn("tool_id", "text", (column) => column.notNull())
        .addColumn("org_id", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("is_secret", "integer", (column) => column.notNull())
        .addColumn("value", "text", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("deleted_at", "bigint")
        .addPrimaryKeyConstraint("tool_variables_pk", ["tool_id", "name"])
        .execute();

      await table(
        db,
        "tool_versions",
        [
          "id",
          "org_id",
          "tool_id",
          "runtime",
          "manifest",
          "input_schema",
          "required_envvars",
          "required_secret_envvars",
          "commit_hash",
          "scaffold_commit_hash",
          "project_directory",
          "artifact_digest",
          "creator_user_id",
          "updated_by_user_id",
        ],
        ["major", "minor", "patch", "sequence", "deprecated", "created_at", "updated_at"],
      )
        .addColumn("lockfile_digest", "text")
        .execute();
      await unique(db, "tool_versions", ["tool_id", "major", "minor", "patch"]);
      // All that choosing and sorting a tool's versions takes, so that their manifests aren't read.
      await db.schema
        .createIndex("tool_versions_heads")
        .on("tool_versions")
        .columns([
          "tool_id",
          "deprecated",
          "major",
          "minor",
          "patch",
          "sequence",
          "created_at",
          "creator_user_id",
          "id",
        ])
        .execute();

      await db.schema
        .createTable("artifacts")
        .addColumn("digest", "text", (column) => column.primaryKey())
        .addColumn("content", bytes, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();

      await table(
        db,
        "operations",
        ["id", "org_id", "tool_id", "kind", "state", "user_id", "owner", "log"],
        ["started_at"],
      )
        .addColumn("error", "text")
        .addColumn("version", "text")
        .addColumn("ended_at", "bigint")
        .execute();
      // One operation at a time per tool.
      await db.schema
        .createIndex("operations_under_way")
        .on("operations")
        .column("tool_id")
        .unique()
        .where("ended_at" as never, "is", null)
        .execute();
      await index(db, "operations", ["tool_id", "started_at"]);

      await table(db, "processes", ["id", "role"], ["heartbeat_at"]).execute();

      await db.schema
        .createTable("idempotent_answers")
        .addColumn("org_id", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("request_hash", "text", (column) => column.notNull())
        .addColumn("status", "integer", (column) => column.notNull())
        .addColumn("headers", "text", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("owner", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("idempotent_answers_pk", ["org_id", "key"])
        .execute();
      await index(db, "idempotent_answers", ["created_at"]);

      await db.schema
        .createTable("audit")
        .addColumn("seq", kind === "sqlite" ? "integer" : "bigserial", (column) =>
          column.primaryKey(),
        )
        .addColumn("org_id", "text", (column) => column.notNull())
        .addColumn("user_id", "text", (column) => column.notNull())
        .addColumn("key_id", "text")
        .addColumn("action", "text", (column) => column.notNull())
        .addColumn("target", "text", (column) => column.notNull())
        .addColumn("detail", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
      await index(db, "audit", ["org_id", "seq"]);

      await db.schema
        .createTable("settings")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("value", "text", (column) => column.notNull())
        .execute();
    },
  };
};

/** A table whose key is `id`, with texts and numbers that are always there. */
function table<Name extends string>(
  db: Kysely<unknown>,
  name: Name,
  ...[texts, numbers]: [texts: readonly string[], numbers: readonly string[]]
): CreateTableBuilder<Name> {
  let builder = db.schema.createTable(name) as CreateTableBuilder<Name>;
  for (const column of texts) {
    builder = builder.addColumn(column, "text", (each) =>
      column === "id" ? each.primaryKey() : each.notNull(),
    ) as CreateTableBuilder<Name>;
  }
  for (const column of numbers) {
    builder = builder.addColumn(column, "bigint", (each) =>
      each.notNull(),
    ) as CreateTableBuilder<Name>;
  }
  return builder;
}

async function index(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${name}_by_${columns.join("_")}`)
    .on(name)
    .columns(columns)
    .execute();
}

async function unique(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${name}_one_${columns.join("_")}`)
    .on(name)
    .columns(columns)
    .unique()
    .execute();
}
