import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";
import { createTable } from "./create-table.ts";

/** Records which calls of sessions webhooks were told of, and which webhooks are told. */
export const addSessionEvents: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    await sql`alter table webhooks add column sessions integer not null default 0`.execute(db);
    await createTable(db, "announced_questions", {
      text: ["org_id", "kind", "state", "tool_name", "session_id", "schema"],
      integer: [],
      bigint: ["created_at", "deadline_at"],
    })
      .addColumn("id", "text", (column) => column.primaryKey())
      .execute();
    await sql`create index announced_questions_waiting on announced_questions (org_id)
      where state = 'waiting'`.execute(db);
  },
});
