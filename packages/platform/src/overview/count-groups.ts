import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { readCallers } from "../history/find-callers.ts";
import { hourMs } from "../history/hourly-counts.ts";
import { catchUp } from "../history/index-next.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { Tables } from "../store/schema.ts";
import type { InvocationSelection } from "./overview-filter.ts";
import type { OverviewReader } from "./overview-reader.ts";
import type { InvocationGroup, StatisticsQuery } from "./overview-schemas.ts";
import { type DurationSlot, findPercentile, slotOf } from "./percentiles.ts";

type GroupBy = StatisticsQuery["group_by"];
type Key = "tool_id" | "major" | "minor" | "patch" | "caller";

const keysOf: Readonly<Record<GroupBy, readonly Key[]>> = {
  tool: ["tool_id"],
  version: ["tool_id", "major", "minor", "patch"],
  caller: ["caller"],
};

// Grouping takes a microsecond or two for each invocation.
const maxGrouped = 250_000;
// Of more invocations, durations are those of every second, third, … one.
const maxSampled = 100_000;
const maxGroups = 500;

/** What an invocation says about its group. */
interface GroupKey {
  readonly tool_id?: string;
  readonly major?: number;
  readonly minor?: number;
  readonly patch?: number;
  readonly caller?: number | null;
}

interface Counted extends GroupKey {
  readonly count: number;
  readonly succeeded: number;
  readonly max_ms: number;
  readonly last_at: number;
}

type CountedSlot = Counted & DurationSlot;

/** Counts invocations by tool, version or caller, with how long they took. */
export async function countGroups(
  reader: OverviewReader,
  selection: InvocationSelection,
  groupBy: GroupBy,
): Promise<{ readonly groups: readonly InvocationGroup[]; readonly is_partial: boolean }> {
  const keys = keysOf[groupBy];
  const hours = groupBy === "caller" ? undefined : toHours(selection);
  if (hours === undefined) {
    const slots = await countSlots(reader, selection, { keys, step: 1 });
    const groups = await toGroups(reader, { keys, counted: slots, slots });
    return { groups, is_partial: sumUp(slots) >= maxGrouped };
  }
  const counted = await countHours(reader, selection, { keys, ...hours });
  const step = Math.max(1, Math.ceil(sumUp(counted) / maxSampled));
  const slots = await countSlots(reader, selection, { keys, step });
  return { groups: await toGroups(reader, { keys, counted, slots }), is_partial: false };
}

interface Hours {
  readonly condition: Expression<SqlBool>;
  /** Whole hours; the second is the one after the last. */
  readonly first: number | undefined;
  readonly end: number | undefined;
}

/** The counts of hours that a selection has as a whole; `undefined` if they do not help. */
function toHours({ hours, from, to }: InvocationSelection): Hours | undefined {
  if (hours === undefined) return undefined;
  const first = from === undefined ? undefined : Math.ceil(from / hourMs);
  const end = to === undefined ? undefined : Math.floor(to / hourMs);
  if (first !== undefined && end !== undefined && first >= end) return undefined;
  const parts = [
    hours,
    ...(first === undefined ? [] : [sql<SqlBool>`hour >= ${first}`]),
    ...(end === undefined ? [] : [sql<SqlBool>`hour < ${end}`]),
  ];
  return { condition: sql<SqlBool>`(${sql.join(parts, sql` and `)})`, first, end };
}

/** Adds up the counts of whole hours, and the invocations before and after those. */
async function countHours(
  { store, index, db, options }: OverviewReader,
  selection: InvocationSelection,
  { keys, condition, first, end }: Hours & { readonly keys: readonly Key[] },
): Promise<readonly Counted[]> {
  await catchUp(store, index);
  const columns = toColumns(keys);
  const select = (where: RawBuilder<SqlBool>): RawBuilder<unknown> =>
    sql`select ${columns}, 1 as count, succeeded, duration_ms as max_ms, created_at as last_at
      from invocations where ${toExpression(selection)} and ${where}`;
  const parts = [
    sql`select ${columns}, count, succeeded, max_ms, last_at
      from invocation_hours where ${condition}`,
    ...(first === undefined ? [] : [select(sql`created_at < ${first * hourMs}`)]),
    ...(end === undefined ? [] : [select(sql`created_at >= ${end * hourMs}`)]),
  ];
  const { rows } = await sql<Counted>`
    select ${columns}, sum(count) as count, sum(succeeded) as succeeded,
      max(max_ms) as max_ms, max(last_at) as last_at
    from (${sql.join(parts, sql` union all `)}) as counted group by ${columns}`.execute(
    db,
    options,
  );
  return rows;
}

/** Counts the newest invocations, or every second, third, … one, by group and by how long they took. */
async function countSlots(
  { db, options }: OverviewReader,
  selection: InvocationSelection,
  { keys, step }: { readonly keys: readonly Key[]; readonly step: number },
): Promise<readonly CountedSlot[]> {
  const columns = toColumns(keys);
  const part =
    step === 1
      ? sql`order by created_at desc, seq desc limit ${maxGrouped}`
      : sql`and seq % ${sql.lit(step)} = 0`;
  const { rows } = await sql<CountedSlot>`
    select ${columns}, ${slotOf("duration_ms")} as slot, count(*) as count,
      sum(succeeded) as succeeded, max(duration_ms) as max_ms, max(created_at) as last_at
    from (
      select ${columns}, succeeded, duration_ms, created_at from invocations
      where ${toExpression(selection)} ${part}
    ) as newest group by ${columns}, slot`.execute(db, options);
  return rows;
}

async function toGroups(
  { store }: OverviewReader,
  {
    keys,
    counted,
    slots,
  }: {
    readonly keys: readonly Key[];
    readonly counted: readonly Counted[];
    readonly slots: readonly (GroupKey & DurationSlot)[];
  },
): Promise<InvocationGroup[]> {
  const keyOf = (row: GroupKey): string => keys.map((key) => row[key]).join();
  const slotsByKey = Map.groupBy(slots, keyOf);
  const callers = await readCallers(
    store,
    counted.flatMap(({ caller }) => caller ?? []),
  );
  return Array.from(Map.groupBy(counted, keyOf), ([key, rows]) => {
    const [{ tool_id, major, minor, patch, caller }] = rows as [Counted];
    const count = sumUp(rows);
    const max = Math.max(...rows.map((row) => row.max_ms));
    const own = slotsByKey.get(key) ?? [];
    return {
      tool_id: tool_id ?? null,
      tool_version:
        major === undefined || minor === undefined || patch === undefined
          ? null
          : { major, minor, patch },
      caller: callers.get(caller ?? 0) ?? null,
      count,
      failed: count - rows.reduce((sum, { succeeded }) => sum + Number(succeeded), 0),
      p50_ms: findPercentile(own, 0.5, max),
      p95_ms: findPercentile(own, 0.95, max),
      max_ms: max,
      last_at: toIsoMoment(Math.max(...rows.map((row) => Number(row.last_at)))),
    };
  })
    .sort((one, other) => other.count - one.count)
    .slice(0, maxGroups);
}

function toColumns(keys: readonly Key[]): RawBuilder<unknown> {
  return sql.join(keys.map((key) => sql.ref(key)));
}

function toExpression({ condition }: InvocationSelection): Expression<SqlBool> {
  return condition(expressionBuilder<Tables, "invocations">());
}

// PostgreSQL's sums are texts.
function sumUp(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}
