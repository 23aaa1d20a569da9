import { sql } from "kysely";
import { readCallers } from "../history/find-callers.ts";
import { indexNext, isIndexBehind } from "../history/index-next.ts";
import type { SearchIndex } from "../history/search-index.ts";
import { toSearchQuery } from "../history/search-query.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { Store } from "../store/store.ts";
import type { InvocationCondition } from "./overview-filter.ts";
import type { InvocationGroup, StatisticsQuery } from "./overview-schemas.ts";

/** Which invocations to count. */
export interface CountRequest {
  readonly organization: string;
  readonly condition: InvocationCondition;
  /** Words in outputs and errors. */
  readonly query: string | undefined;
}

/** The bars of a chart: from when to when, and how many. */
export interface VolumeRequest extends CountRequest {
  readonly from: number | undefined;
  readonly to: number;
  readonly buckets: number;
}

const maxFound = 5_000;

/** Counts invocations over time. */
export async function countVolume(
  store: Store,
  index: SearchIndex,
  request: VolumeRequest,
): Promise<Record<string, unknown>> {
  const { condition, to } = request;
  const found = await findByWords(store, index, request);
  const from = request.from ?? (await findOldest(store, condition)) ?? to - 60_000;
  const bucketMs = Math.max(1_000, Math.ceil((to - from) / request.buckets));
  const bars = Math.max(1, Math.ceil((to - from) / bucketMs));
  const bucket = sql<number>`(created_at - ${sql.lit(from)}) / ${sql.lit(bucketMs)}`;
  const rows = await store.db
    .selectFrom("invocations")
    .select([bucket.as("bucket"), "succeeded"])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(condition)
    .where("created_at", ">=", from)
    .$if(found !== undefined, (query) => query.where("seq", "in", found ?? []))
    .groupBy([bucket, "succeeded"])
    .execute();
  const counts = [new Array<number>(bars).fill(0), new Array<number>(bars).fill(0)] as const;
  for (const row of rows) {
    const at = Math.min(bars - 1, Number(row.bucket));
    counts[row.succeeded][at] = (counts[row.succeeded][at] ?? 0) + Number(row.count);
  }
  return {
    from: toIsoMoment(from),
    to: toIsoMoment(to),
    bucket_ms: bucketMs,
    succeeded: counts[1],
    failed: counts[0],
    is_partial: found !== undefined && found.length >= maxFound,
  };
}

// Each is a third larger than the one before: how exact the percentiles are.
const bounds = Array.from({ length: 48 }, (_, step) => Math.round(1.34 ** step));

/** Counts invocations by tool, version or caller, with how long they took. */
export async function countGroups(
  store: Store,
  {
    condition,
    groupBy,
  }: Pick<CountRequest, "condition"> & {
    readonly groupBy: StatisticsQuery["group_by"];
  },
): Promise<readonly InvocationGroup[]> {
  const slot = sql<number>`case ${sql.join(
    bounds.map((bound, step) => sql`when duration_ms <= ${sql.lit(bound)} then ${sql.lit(step)}`),
    sql` `,
  )} else ${sql.lit(bounds.length)} end`;
  const byVersion = ["tool_id", "major", "minor", "patch"] as const;
  const keys =
    groupBy === "tool"
      ? (["tool_id"] as const)
      : groupBy === "version"
        ? byVersion
        : (["caller"] as const);
  const rows = (await store.db
    .selectFrom("invocations")
    .select(keys as readonly "tool_id"[])
    .select(slot.as("slot"))
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.sum<number>("succeeded").as("good"),
      fn.max("duration_ms").as("max"),
      fn.max("created_at").as("last"),
    ])
    .where(condition)
    .groupBy(keys as readonly "tool_id"[])
    .groupBy(slot)
    .execute()) as readonly CountedRow[];
  const groups = Map.groupBy(rows, (row) => keys.map((key) => row[key]).join());
  const callers = await readCallers(
    store,
    rows.flatMap(({ caller }) => caller ?? []),
  );
  return [...groups.values()]
    .map((slots) => {
      const [{ tool_id, major, minor, patch, caller }] = slots as [CountedRow];
      const sum = (name: "count" | "good"): number =>
        slots.reduce((total, row) => total + Number(row[name]), 0);
      const max = Math.max(...slots.map((row) => row.max));
      return {
        tool_id: tool_id ?? null,
        tool_version:
          major === undefined || minor === undefined || patch === undefined
            ? null
            : { major, minor, patch },
        caller: callers.get(caller ?? 0) ?? null,
        count: sum("count"),
        failed: sum("count") - sum("good"),
        p50_ms: findPercentile(slots, 0.5, max),
        p95_ms: findPercentile(slots, 0.95, max),
        max_ms: max,
        last_at: toIsoMoment(Math.max(...slots.map((row) => Number(row.last)))),
      };
    })
    .sort((one, other) => other.count - one.count)
    .slice(0, 500);
}

interface CountedRow {
  readonly tool_id?: string;
  readonly major?: number;
  readonly minor?: number;
  readonly patch?: number;
  readonly caller?: number | null;
  readonly slot: number;
  readonly count: number;
  readonly good: number;
  readonly max: number;
  readonly last: number;
}

function findPercentile(slots: readonly CountedRow[], part: number, max: number): number {
  const total = slots.reduce((sum, { count }) => sum + Number(count), 0);
  let left = Math.ceil(total * part);
  for (const { slot, count } of slots.toSorted((one, other) => one.slot - other.slot)) {
    left -= Number(count);
    if (left <= 0) return Math.min(max, bounds[slot] ?? max);
  }
  return max;
}

async function findOldest(
  store: Store,
  condition: InvocationCondition,
): Promise<number | undefined> {
  const row = await store.db
    .selectFrom("invocations")
    .select("created_at")
    .where(condition)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** Returns the numbers of invocations that contain words; `undefined` without a query. */
async function findByWords(
  store: Store,
  index: SearchIndex,
  { query, organization }: CountRequest,
): Promise<readonly number[] | undefined> {
  if (query === undefined) return undefined;
  const wanted = toSearchQuery(query);
  let isBehind = await isIndexBehind(store);
  while (isBehind) isBehind = await indexNext(store, index);
  const scope = { organization, toolIds: [], sourceTypes: [], succeeded: undefined };
  const found = await index.find(store.db, {
    query: wanted,
    scope,
    before: undefined,
    limit: maxFound,
  });
  return found.length === 0 ? [-1] : found;
}
