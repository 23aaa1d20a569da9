import type { CreateTableBuilder, Kysely } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

type ColumnType = "text" | "integer" | "bigint";

/** Creates asynchronous invocations with their journals and events, and the inbox. */
export const createWaiting: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await table(db, "async_invocations", {
      text: ["org_id", "tool_id", "version_id", "user_id", "key_id", "state", "request", "draft"],
      integer: ["attempt", "is_cancelled"],
      bigint: ["active_ms", "created_at", "updated_at", "expires_at"],
    })
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner", "text")
      .addColumn("printed", "text")
      .addColumn("wake_at", "bigint")
      .execute();
    await index(db, "async_invocations", ["state", "org_id", "created_at"]);
    await index(db, "async_invocations", ["state", "wake_at"]);

    await table(db, "invocation_steps", {
      text: ["invocation_id", "kind", "name", "result"],
      integer: ["position", "is_repeatable"],
      bigint: ["created_at"],
    })
      .addColumn("due_at", "bigint")
      .addColumn("ordinal", "integer")
      .addPrimaryKeyConstraint("invocation_steps_pk", ["invocation_id", "position"])
      .execute();

    await table(db, "invocation_events", {
      text: ["invocation_id", "event", "data"],
      integer: ["seq"],
      bigint: ["created_at"],
    })
      .addPrimaryKeyConstraint("invocation_events_pk", ["invocation_id", "seq"])
      .execute();

    await table(db, "inbox_items", {
      text: [
        ...["org_id", "kind", "state", "source_type", "source_id", "tool_name", "arguments"],
        ...["question", "detail", "user_id", "answer"],
      ],
      integer: ["position"],
      bigint: ["created_at", "deadline_at"],
    })
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("tool_id", "text")
      .addColumn("tool_version", "text")
      .addColumn("schema", "text")
      .addColumn("answerers", "text")
      .addColumn("answered_at", "bigint")
      .addColumn("answered_by", "text")
      .addColumn("answered_key_id", "text")
      .execute();
    await index(db, "inbox_items", ["org_id", "state", "id"]);
    await index(db, "inbox_items", ["source_id", "position"]);
  },
});

/** A table with columns that are never null, by their types. */
function table<Name extends string>(
  db: Kysely<unknown>,
  name: Name,
  columns: Readonly<Record<ColumnType, readonly string[]>>,
): CreateTableBuilder<Name, string> {
  let builder = db.schema.createTable(name) as CreateTableBuilder<Name, string>;
  for (const [type, names] of Object.entries(columns)) {
    for (const each of names) {
      builder = builder.addColumn(each, type as ColumnType, (column) => column.notNull());
    }
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
