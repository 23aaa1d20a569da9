import { sql } from "kysely";
import { toIsoMoment } from "../iso-moment.ts";
import { isAmong } from "../store/is-among.ts";
import { findNewest } from "./find-summaries.ts";
import type { InvocationSelection } from "./overview-filter.ts";
import type { OverviewReader } from "./overview-reader.ts";

/** The bars of a chart. */
export interface VolumeRequest {
  readonly buckets: number;
  readonly now: number;
}

/** How many began in the time of a bar. */
interface Bar {
  readonly bucket: number;
  readonly count: number;
  readonly succeeded: number;
}

// PostgreSQL reads the words of each.
const maxFound = { sqlite: 20_000, postgres: 3_000 } as const;

/** Counts invocations over time. */
export async function countVolume(
  reader: OverviewReader,
  selection: InvocationSelection,
  { buckets, now }: VolumeRequest,
): Promise<Record<string, unknown>> {
  const { words, to = now } = selection;
  const limit = maxFound[reader.store.kind];
  const found =
    words === undefined ? undefined : await findNewest(reader, selection, { words, limit });
  const from = selection.from ?? (await findOldest(reader, selection)) ?? to - 60_000;
  const bucketMs = Math.max(1_000, Math.ceil((to - from) / buckets));
  const scale = { from, bucketMs, bars: Math.max(1, Math.ceil((to - from) / bucketMs)) };
  const counts = [new Array<number>(scale.bars).fill(0), new Array<number>(scale.bars).fill(0)];
  const [failed, succeeded] = counts as [number[], number[]];
  const bars =
    found === undefined
      ? await countBars(reader, selection, scale)
      : await countFound(reader, selection, { ...scale, found });
  for (const bar of bars) {
    // What began after the moment of the request belongs to the last one.
    const at = Math.min(scale.bars - 1, Number(bar.bucket));
    succeeded[at] = (succeeded[at] ?? 0) + Number(bar.succeeded);
    failed[at] = (failed[at] ?? 0) + Number(bar.count) - Number(bar.succeeded);
  }
  return {
    from: toIsoMoment(from),
    to: toIsoMoment(to),
    bucket_ms: bucketMs,
    succeeded,
    failed,
    is_partial: found !== undefined && found.length >= limit,
  };
}

interface Scale {
  readonly from: number;
  readonly bucketMs: number;
  readonly bars: number;
}

/**
 * One query for each bar: to count between two places of an index takes a tenth of the time of
 * grouping, and other requests get their turn between two bars.
 */
async function countBars(
  { db, options }: OverviewReader,
  { condition }: InvocationSelection,
  { from, bucketMs, bars }: Scale,
): Promise<Bar[]> {
  const counted: Bar[] = [];
  for (let bucket = 0; bucket < bars; bucket++) {
    const start = from + bucket * bucketMs;
    const row = await db
      .selectFrom("invocations")
      .select(({ fn }) => [
        fn.countAll<number>().as("count"),
        fn.sum<number | null>("succeeded").as("succeeded"),
      ])
      .where(condition)
      .where("created_at", ">=", start)
      .$if(bucket < bars - 1, (query) => query.where("created_at", "<", start + bucketMs))
      .executeTakeFirstOrThrow(options);
    counted.push({ bucket, count: row.count, succeeded: row.succeeded ?? 0 });
  }
  return counted;
}

function countFound(
  { store, db, options }: OverviewReader,
  { condition }: InvocationSelection,
  { from, bucketMs, found }: Scale & { readonly found: readonly number[] },
): Promise<Bar[]> {
  const bucket = sql<number>`(created_at - ${sql.lit(from)}) / ${sql.lit(bucketMs)}`;
  return db
    .selectFrom("invocations")
    .select(({ fn }) => [
      bucket.as("bucket"),
      fn.countAll<number>().as("count"),
      fn.sum<number>("succeeded").as("succeeded"),
    ])
    .where(isAmong(store, "seq", new Set(found)))
    .where(condition)
    .where("created_at", ">=", from)
    .groupBy(bucket)
    .execute(options);
}

async function findOldest(
  { db, options }: OverviewReader,
  { condition }: InvocationSelection,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("invocations")
    .select("created_at")
    .where(condition)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst(options);
  return row?.created_at;
}
