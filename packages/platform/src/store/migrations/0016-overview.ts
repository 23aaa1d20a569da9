import { type Kysely, sql } from "kysely";
import type { StoreMigration } from "../store-migration.ts";

/** Adds counts of invocations by hour and version, and an index of those that failed, by time. */
export const addOverview: StoreMigration = (kind) => ({
  up: async (db: Kysely<unknown>) => {
    await sql`create table invocation_hours (
      org_id text not null, hour bigint not null, tool_id text not null,
      major integer not null, minor integer not null, patch integer not null,
      count bigint not null, succeeded bigint not null,
      max_ms integer not null, last_at bigint not null,
      primary key (org_id, hour, tool_id, major, minor, patch)
    ) ${kind === "sqlite" ? sql`without rowid` : sql``}`.execute(db);
    // What the search index has; the rest is counted when it is indexed.
    await sql`insert into invocation_hours
      select org_id, created_at / 3600000, tool_id, major, minor, patch,
        count(*), sum(succeeded), max(duration_ms), max(created_at)
      from invocations where seq <= (select upto from invocation_search_state where id = 1)
      group by 1, 2, 3, 4, 5, 6`.execute(db);
    await sql`create index invocations_failed_by_time on invocations (org_id, created_at, seq,
      exception_type, tool_id, source_type, caller, duration_ms, major, minor, patch)
      where succeeded = 0`.execute(db);
    if (kind === "postgres") {
      // Rows that no vacuum has seen can't be counted by an index alone.
      await sql`alter table invocations set (
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_vacuum_insert_threshold = 10000)`.execute(db);
    }
  },
});
