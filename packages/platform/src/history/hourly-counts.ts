import { type Kysely, sql } from "kysely";
import type { InvocationRow, Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** What the counts need to know of an invocation. */
export type CountedRow = Pick<
  InvocationRow,
  | ("org_id" | "tool_id" | "major" | "minor" | "patch")
  | ("created_at" | "succeeded" | "duration_ms")
>;

/** The unit of the column `hour`. */
export const hourMs = 3_600_000;

/** Adds invocations to the counts of their hours and versions. */
export async function addToCounts(
  db: Kysely<Tables>,
  { kind }: Pick<Store, "kind">,
  rows: readonly CountedRow[],
): Promise<void> {
  const counts = JSON.stringify(sumUp(rows));
  // One statement, whatever the number of rows.
  await (kind === "sqlite"
    ? sql`insert into invocation_hours
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
          value ->> 6, value ->> 7, value ->> 8, value ->> 9
        from json_each(${counts}) where true ${addition}`
    : sql`insert into invocation_hours
        select value ->> 0, (value ->> 1)::bigint, value ->> 2, (value ->> 3)::integer,
          (value ->> 4)::integer, (value ->> 5)::integer, (value ->> 6)::bigint,
          (value ->> 7)::bigint, (value ->> 8)::integer, (value ->> 9)::bigint
        from json_array_elements(${counts}::json) ${addition}`
  ).execute(db);
}

const addition = sql`on conflict (org_id, hour, tool_id, major, minor, patch) do update set
  count = invocation_hours.count + excluded.count,
  succeeded = invocation_hours.succeeded + excluded.succeeded,
  max_ms = case when excluded.max_ms > invocation_hours.max_ms
    then excluded.max_ms else invocation_hours.max_ms end,
  last_at = case when excluded.last_at > invocation_hours.last_at
    then excluded.last_at else invocation_hours.last_at end`;

/**
 * Takes deleted invocations out of the counts. The longest and the last one of an hour remain as they
 * are until all of its invocations are deleted.
 */
export async function removeFromCounts(
  db: Kysely<Tables>,
  rows: readonly CountedRow[],
): Promise<void> {
  for (const [org_id, hour, tool_id, major, minor, patch, count, succeeded] of sumUp(rows)) {
    const key = { org_id, hour, tool_id, major, minor, patch };
    const { left } = (await db
      .updateTable("invocation_hours")
      .set((row) => ({
        count: row("count", "-", count),
        succeeded: row("succeeded", "-", succeeded),
      }))
      .where((row) => row.and(key))
      .returning("count as left")
      .executeTakeFirst()) ?? { left: 1 };
    if (left > 0) continue;
    await db
      .deleteFrom("invocation_hours")
      .where((row) => row.and(key))
      .execute();
  }
}

type HourCounts = [
  ...key: [org: string, hour: number, tool: string, major: number, minor: number, patch: number],
  ...counts: [count: number, succeeded: number, maxMs: number, lastAt: number],
];

function sumUp(rows: readonly CountedRow[]): HourCounts[] {
  const sums = new Map<string, HourCounts>();
  for (const row of rows) {
    const { org_id, tool_id, major, minor, patch, created_at, succeeded, duration_ms } = row;
    const hour = Math.floor(created_at / hourMs);
    const key = `${org_id} ${hour} ${tool_id} ${major} ${minor} ${patch}`;
    const sum = sums.get(key);
    if (sum === undefined) {
      const counts = [1, succeeded, duration_ms, created_at] as const;
      sums.set(key, [org_id, hour, tool_id, major, minor, patch, ...counts]);
      continue;
    }
    sum[6] += 1;
    sum[7] += succeeded;
    sum[8] = Math.max(sum[8], duration_ms);
    sum[9] = Math.max(sum[9], created_at);
  }
  return [...sums.values()];
}
