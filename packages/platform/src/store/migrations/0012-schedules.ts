import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Creates schedules and their runs. */
export const createSchedules: StoreMigration = () => ({
  up: async (db: Kysely<unknown>) => {
    let schedules = db.schema
      .createTable("schedules")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("pause_reason", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("next_at", "bigint");
    const texts = [
      ...["org_id", "name", "tool_id", "version", "cron", "time_zone", "input", "shown_input"],
      ...["missed", "overlap", "state", "user_id", "key_id"],
    ];
    for (const name of texts) {
      schedules = schedules.addColumn(name, "text", (column) => column.notNull());
    }
    await schedules.execute();
    await sql`create unique index schedules_one_name on schedules (org_id, name)`.execute(db);
    await sql`create index schedules_by_next on schedules (next_at)
      where next_at is not null`.execute(db);
    await sql`create index schedules_by_key on schedules (key_id)`.execute(db);

    await db.schema
      .createTable("schedule_runs")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("schedule_id", "text", (column) => column.notNull())
      .addColumn("moment", "bigint")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("missed", "integer", (column) => column.notNull())
      .addColumn("invocation_id", "text")
      .addColumn("detail", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create unique index schedule_runs_one_moment
      on schedule_runs (schedule_id, moment)`.execute(db);
    await sql`create index schedule_runs_by_schedule on schedule_runs (schedule_id, id)`.execute(
      db,
    );
    await sql`create index schedule_runs_queued on schedule_runs (id)
      where state = 'queued'`.execute(db);
    await sql`create index schedule_runs_by_age on schedule_runs (created_at)`.execute(db);
  },
});
