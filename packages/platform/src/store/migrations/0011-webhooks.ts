import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";
import { createIndex, createTable } from "./create-table.ts";

/** Creates webhooks and their deliveries, and records how an item of the inbox was answered. */
export const createWebhooks: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await createTable(db, "webhooks", {
      text: ["org_id", "url", "description", "events", "secret", "previous_secret", "user_id"],
      integer: ["links", "synchronous", "enabled", "failures"],
      bigint: ["created_at", "updated_at"],
    })
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("tools", "text")
      .addColumn("tags", "text")
      .addColumn("disabled_reason", "text")
      .addColumn("previous_until", "bigint")
      .execute();
    await createIndex(db, "webhooks", ["org_id", "id"]);

    await createTable(db, "webhook_deliveries", {
      text: ["org_id", "webhook_id", "type", "body", "state"],
      integer: ["attempts", "tries"],
      bigint: ["due_at", "created_at", "updated_at"],
    })
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner", "text")
      .execute();
    await createIndex(db, "webhook_deliveries", ["state", "due_at"]);
    await createIndex(db, "webhook_deliveries", ["webhook_id", "id"]);
    await createIndex(db, "webhook_deliveries", ["created_at"]);

    await createTable(db, "webhook_attempts", {
      text: ["delivery_id"],
      integer: ["number", "duration_ms"],
      bigint: ["started_at"],
    })
      .addColumn("status", "integer")
      .addColumn("response", "text")
      .addColumn("error", "text")
      .addPrimaryKeyConstraint("webhook_attempts_pk", ["delivery_id", "number"])
      .execute();

    await sql`alter table async_invocations add column webhook_id text`.execute(db);
    await sql`alter table inbox_items add column answered_via text`.execute(db);
    await sql`alter table inbox_items add column on_behalf_of text`.execute(db);
  },
});
