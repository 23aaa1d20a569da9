import type { Kysely } from "kysely";
import type { StoreMigration } from "../store-migration.ts";
import { createIndex, createTable } from "./create-table.ts";

/** Creates asynchronous invocations with their journals and events, and the inbox. */
export const createWaiting: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await createTable(db, "async_invocations", {
      text: ["org_id", "tool_id", "version_id", "user_id", "key_id", "state", "request", "draft"],
      integer: ["attempt", "is_cancelled"],
      bigint: ["active_ms", "created_at", "updated_at", "expires_at"],
    })
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner", "text")
      .addColumn("printed", "text")
      .addColumn("wake_at", "bigint")
      .execute();
    await createIndex(db, "async_invocations", ["state", "org_id", "created_at"]);
    await createIndex(db, "async_invocations", ["state", "wake_at"]);

    await createTable(db, "invocation_steps", {
      text: ["invocation_id", "kind", "name", "result"],
      integer: ["position", "is_repeatable"],
      bigint: ["created_at"],
    })
      .addColumn("due_at", "bigint")
      .addColumn("ordinal", "integer")
      .addPrimaryKeyConstraint("invocation_steps_pk", ["invocation_id", "position"])
      .execute();

    await createTable(db, "invocation_events", {
      text: ["invocation_id", "event", "data"],
      integer: ["seq"],
      bigint: ["created_at"],
    })
      .addPrimaryKeyConstraint("invocation_events_pk", ["invocation_id", "seq"])
      .execute();

    await createTable(db, "inbox_items", {
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
    await createIndex(db, "inbox_items", ["org_id", "state", "id"]);
    await createIndex(db, "inbox_items", ["source_id", "position"]);
  },
});
