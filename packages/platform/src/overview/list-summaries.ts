import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { InvocationSelection } from "./overview-filter.ts";
import { type OverviewReader, pageBudgetMs } from "./overview-reader.ts";
import type { InvocationSummary } from "./overview-schemas.ts";
import { readSummaries } from "./read-summaries.ts";

/** Which page of history. */
export interface PageRequest {
  readonly limit: number;
  /** What came with the page before. */
  readonly continuationToken: string | undefined;
}

/** A page of history. It can be short, or empty, although there are more. */
export interface SummaryPage {
  readonly invocations: readonly InvocationSummary[];
  readonly continuation_token: string | null;
}

interface Position {
  readonly created_at: number;
  readonly seq: number;
}

// A filter that few invocations pass makes a query look at many. So it looks at some at a time.
const firstRows = 4_000;
const maxRows = 100_000;

/** Lists invocations without their payloads, those that began last first. */
export async function listSummaries(
  reader: OverviewReader,
  selection: InvocationSelection,
  { limit, continuationToken }: PageRequest,
): Promise<SummaryPage> {
  const end = performance.now() + pageBudgetMs;
  const found: Position[] = [];
  let position = toPosition(continuationToken);
  for (let rows = firstRows; ; rows = Math.min(rows * 4, maxRows)) {
    const last = await findEdge(reader, selection, { position, rows });
    found.push(
      ...(await findBetween(reader, selection, {
        position,
        last,
        limit: limit + 1 - found.length,
      })),
    );
    position = last;
    if (found.length > limit || last === undefined || performance.now() > end) break;
  }
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1) : position;
  return {
    invocations: await readSummaries(
      reader,
      page.map(({ seq }) => seq),
    ),
    continuation_token: next === undefined ? null : `${next.created_at}-${next.seq}`,
  };
}

/** Finds the place that lies some invocations further on; `undefined` if there is none in the time. */
async function findEdge(
  { db, options }: OverviewReader,
  { organization, from, to }: InvocationSelection,
  { position, rows }: { readonly position: Position | undefined; readonly rows: number },
): Promise<Position | undefined> {
  const row = await db
    .selectFrom("invocations")
    .select(["created_at", "seq"])
    .where("org_id", "=", organization)
    .$if(from !== undefined, (query) => query.where("created_at", ">=", from ?? 0))
    .$if(to !== undefined, (query) => query.where("created_at", "<", to ?? 0))
    .$if(position !== undefined, (query) => query.where(compare("<", position)))
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(1)
    .offset(rows)
    .executeTakeFirst(options);
  return row;
}

interface Stretch {
  readonly position: Position | undefined;
  readonly last: Position | undefined;
  readonly limit: number;
}

function findBetween(
  { db, options }: OverviewReader,
  { condition }: InvocationSelection,
  { position, last, limit }: Stretch,
): Promise<Position[]> {
  return db
    .selectFrom("invocations")
    .select(["created_at", "seq"])
    .where(condition)
    .$if(position !== undefined, (query) => query.where(compare("<", position)))
    .$if(last !== undefined, (query) => query.where(compare(">=", last)))
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit)
    .execute(options);
}

function compare(operator: "<" | ">=", position: Position | undefined): RawBuilder<SqlBool> {
  const { created_at = 0, seq = 0 } = position ?? {};
  return sql<SqlBool>`(created_at, seq) ${sql.raw(operator)} (${created_at}, ${seq})`;
}

function toPosition(token: string | undefined): Position | undefined {
  if (token === undefined) return undefined;
  const [created_at = 0, seq = 0] = token.split("-").map(Number);
  return { created_at, seq };
}
