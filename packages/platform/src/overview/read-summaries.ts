import { readCallers } from "../history/find-callers.ts";
import { toExcerpt } from "../history/payloads.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { OverviewReader } from "./overview-reader.ts";
import type { InvocationSummary } from "./overview-schemas.ts";

const columns = [
  ...(["seq", "id", "created_at", "tool_id", "major", "minor", "patch", "succeeded"] as const),
  ...(["duration_ms", "source_type", "caller", "retry_of", "exception_type"] as const),
  // What is large is stored apart from the row, except for its beginning.
  ...(["output", "exception_message"] as const),
] as const;

/** Reads invocations as lists show them, in the order of their numbers as given. */
export async function readSummaries(
  { store, db, options }: OverviewReader,
  seqs: readonly number[],
  excerpts?: ReadonlyMap<number, string>,
): Promise<InvocationSummary[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .selectFrom("invocations")
    .select(columns)
    .where("seq", "in", seqs)
    .execute(options);
  const callers = await readCallers(
    store,
    rows.flatMap(({ caller }) => caller ?? []),
  );
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => {
    const row = bySeq.get(seq);
    if (row === undefined) return [];
    const isGood = row.succeeded === 1;
    return {
      id: row.id,
      created_at: toIsoMoment(row.created_at),
      tool_id: row.tool_id,
      tool_version: { major: row.major, minor: row.minor, patch: row.patch },
      succeeded: isGood,
      duration_ms: row.duration_ms,
      source: row.source_type,
      caller: callers.get(row.caller ?? 0) ?? null,
      retry_of: row.retry_of,
      exception_type: row.exception_type,
      excerpt: excerpts?.get(seq) ?? toExcerpt((isGood ? row.output : row.exception_message) ?? ""),
    };
  });
}
