import { readCallers } from "../history/find-callers.ts";
import { toExcerpt } from "../history/payloads.ts";
import type { SearchIndex } from "../history/search-index.ts";
import { searchInvocations } from "../history/search-invocations.ts";
import { searchFields, toSearchQuery } from "../history/search-query.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { Store } from "../store/store.ts";
import type { InvocationCondition } from "./overview-filter.ts";
import type { InvocationSummary } from "./overview-schemas.ts";

/** Which page of history. */
export interface SummaryRequest {
  readonly organization: string;
  readonly condition: InvocationCondition;
  readonly limit: number;
  /** What came with the page before. */
  readonly continuationToken: string | undefined;
}

const columns = [
  ...(["seq", "id", "created_at", "tool_id", "major", "minor", "patch", "succeeded"] as const),
  ...(["duration_ms", "source_type", "caller", "retry_of", "exception_type"] as const),
  // What is large is stored apart from the row, except for its beginning.
  ...(["output", "exception_message"] as const),
] as const;

/** Lists invocations without their payloads, the newest first. */
export async function listSummaries(
  store: Store,
  { condition, limit, continuationToken = "" }: SummaryRequest,
): Promise<{
  readonly invocations: InvocationSummary[];
  readonly continuation_token: string | null;
}> {
  const [at, seq] = continuationToken.split("-").map(Number);
  // The numbers come first, from the index alone.
  const found = await store.db
    .selectFrom("invocations")
    .select(["seq", "created_at"])
    .where(condition)
    .$if(at !== undefined && seq !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb("created_at", "<", at ?? 0),
          and([eb("created_at", "=", at ?? 0), eb("seq", "<", seq ?? 0)]),
        ]),
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    invocations: await readSummaries(
      store,
      page.map((row) => row.seq),
    ),
    continuation_token:
      found.length > limit && last !== undefined ? `${last.created_at}-${last.seq}` : null,
  };
}

/** Finds invocations by words in their outputs and errors: the newest first, at most 100. */
export async function findSummaries(
  store: Store,
  index: SearchIndex,
  request: Pick<SummaryRequest, "organization" | "condition"> & { readonly query: string },
): Promise<InvocationSummary[]> {
  const query = toSearchQuery(request.query);
  const found = await searchInvocations(store, index, {
    query,
    filter: {
      ...{ organization: request.organization, tools: [], sourceTypes: [], conversationIds: [] },
      ...{ simulationRunIds: [], succeeded: undefined, condition: request.condition },
    },
    withPrinted: false,
  });
  const excerpts = new Map(
    found.map((row) => [
      row.seq,
      cutAround(
        searchFields.map((field) => row[field] ?? ""),
        query.phrases.flat(),
      ),
    ]),
  );
  return readSummaries(
    store,
    found.map(({ seq }) => seq),
    excerpts,
  );
}

async function readSummaries(
  store: Store,
  seqs: readonly number[],
  excerpts?: ReadonlyMap<number, string>,
): Promise<InvocationSummary[]> {
  if (seqs.length === 0) return [];
  const rows = await store.db
    .selectFrom("invocations")
    .select(columns)
    .where("seq", "in", seqs)
    .execute();
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

/** Returns the text around the first of these words. */
function cutAround(texts: readonly string[], words: readonly string[]): string {
  for (const text of texts) {
    const lower = text.toLowerCase();
    const at = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
    if (at.length === 0) continue;
    const start = Math.max(0, Math.min(...at) - 60);
    return `${start > 0 ? "…" : ""}${toExcerpt(text.slice(start))}`;
  }
  return toExcerpt(texts.find((text) => text !== "") ?? "");
}
