import type { Kysely } from "kysely";
import { listedColumns } from "../store/invocation-row.ts";
import type { InvocationRow, Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { SortOrder } from "../tools/sort-order.ts";
import { type InvocationFilter, toCondition, toStreams } from "./invocation-filter.ts";
import { joinPayloads } from "./payloads.ts";

/** By what invocations can be sorted. */
export const invocationSortFields = ["created_at", "duration_ms"] as const;

/** A row as it is read. */
export type StoredInvocation = Omit<InvocationRow, "seq" | "printed"> & {
  readonly seq: number;
  /** Read only if it is asked for. */
  readonly printed?: string | null;
  /** The invocations that repeat it. */
  readonly retriedBy?: readonly string[];
};

/** Which page of history. */
export interface InvocationQuery {
  readonly filter: InvocationFilter;
  readonly sort: readonly SortOrder<(typeof invocationSortFields)[number]>[];
  readonly limit: number;
  /** What came with the page before; 0 for the first one. */
  readonly continuationToken: number;
  /** Whether to read what the invocations printed. */
  readonly withPrinted?: boolean;
  /** Whether a row is listed. Default: all that the filter finds. */
  readonly accepts?: ((row: StoredInvocation) => boolean) | undefined;
}

/** A page of history. */
export interface InvocationPage {
  readonly rows: readonly StoredInvocation[];
  readonly hasMore: boolean;
  readonly continuationToken: number | null;
}

/**
 * Lists invocations, the newest first unless told. By age a page goes on behind the last row of the
 * page before, whatever has been added meanwhile; by duration behind as many rows.
 */
export async function listInvocations(
  store: Store,
  query: InvocationQuery,
): Promise<InvocationPage> {
  const { accepts, limit } = query;
  if (accepts === undefined || limit === 0) return listPage(store, query);
  const rows: StoredInvocation[] = [];
  let token = query.continuationToken;
  for (let looked = 0; ; ) {
    const page = await listPage(store, { ...query, limit: pageRows, continuationToken: token });
    for (const [index, row] of page.rows.entries()) {
      if (!accepts(row)) continue;
      rows.push(row);
      if (rows.length < limit) continue;
      const isByAge = query.sort[0]?.field !== "duration_ms";
      const next = isByAge ? row.seq : token + index + 1;
      const hasMore = page.hasMore || index + 1 < page.rows.length;
      return { rows, hasMore, continuationToken: hasMore ? next : null };
    }
    looked += page.rows.length;
    // A caller with a rare filter goes on from here.
    if (page.continuationToken === null || looked >= maxLooked) return { ...page, rows };
    token = page.continuationToken;
  }
}

// Rows that are read at a time, and at most for one page, to find those that are accepted.
const pageRows = 200;
const maxLooked = 10_000;

async function listPage({ db }: Store, query: InvocationQuery): Promise<InvocationPage> {
  const { limit, continuationToken } = query;
  const isByAge = query.sort[0]?.field !== "duration_ms";
  // One more than wanted tells whether there are more. The rows themselves come last, so that
  // choosing them needs only an index.
  const found = await (isByAge ? findByAge(db, query) : findByDuration(db, query));
  const hasMore = found.length > limit;
  const seqs = found.slice(0, limit);
  const next = isByAge ? (seqs.at(-1) ?? continuationToken) : continuationToken + seqs.length;
  return {
    rows: await readInvocations(db, seqs, query),
    hasMore,
    continuationToken: hasMore ? next : null,
  };
}

/** Reads rows in the order of their numbers as given; those that are gone are left out. */
export async function readInvocations(
  db: Kysely<Tables>,
  seqs: readonly number[],
  { withPrinted = false }: { readonly withPrinted?: boolean } = {},
): Promise<StoredInvocation[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .selectFrom("invocations")
    .select(listedColumns)
    .$if(withPrinted, (query) => query.select("printed"))
    .where("seq", "in", seqs)
    .execute();
  const retries = await findRetries(db, rows);
  const whole = await joinPayloads(db, rows);
  const bySeq = new Map(whole.map((row) => [row.seq, { ...row, retriedBy: retries(row.id) }]));
  return seqs.map((seq) => bySeq.get(seq)).filter((row) => row !== undefined);
}

/** Finds the invocations that repeat these, the oldest first. */
export async function findRetries(
  db: Kysely<Tables>,
  rows: readonly Pick<InvocationRow, "id">[],
): Promise<(id: string) => readonly string[]> {
  const ids = rows.map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await db
          .selectFrom("invocations")
          .select(["id", "retry_of"])
          .where("retry_of", "in", ids)
          .orderBy("seq")
          .execute();
  return (id) => found.filter(({ retry_of }) => retry_of === id).map((row) => row.id);
}

/** The numbers of the rows that come next by age: one more than the page has. */
export async function findByAge(
  db: Kysely<Tables>,
  {
    filter,
    sort,
    limit,
    continuationToken,
  }: Pick<InvocationQuery, "filter" | "sort" | "limit" | "continuationToken">,
): Promise<number[]> {
  const direction = sort[0]?.direction ?? "desc";
  const found: number[] = [];
  for (const stream of toStreams(filter)) {
    let query = db.selectFrom("invocations").select("seq").where(toCondition(stream));
    if (continuationToken > 0) {
      query = query.where("seq", direction === "desc" ? "<" : ">", continuationToken);
    }
    const rows = await query
      .orderBy("seq", direction)
      .limit(limit + 1)
      .execute();
    found.push(...rows.map(({ seq }) => seq));
  }
  found.sort((one, other) => (direction === "desc" ? other - one : one - other));
  return found.slice(0, limit + 1);
}

async function findByDuration(
  db: Kysely<Tables>,
  { filter, sort, limit, continuationToken }: InvocationQuery,
): Promise<number[]> {
  const rows = await db
    .selectFrom("invocations")
    .select("seq")
    .where(toCondition(filter))
    .orderBy("duration_ms", sort[0]?.direction ?? "desc")
    .orderBy("seq", sort[1]?.direction ?? "desc")
    .limit(limit + 1)
    .offset(continuationToken)
    .execute();
  return rows.map(({ seq }) => seq);
}
