import { catchUp } from "../history/index-next.ts";
import { joinPayloads, toExcerpt } from "../history/payloads.ts";
import {
  matchesQuery,
  type SearchedRow,
  type SearchQuery,
  searchFields,
  toSearchQuery,
} from "../history/search-query.ts";
import { isAmong } from "../store/is-among.ts";
import type { PageRequest, SummaryPage } from "./list-summaries.ts";
import type { InvocationSelection } from "./overview-filter.ts";
import { type OverviewReader, pageBudgetMs } from "./overview-reader.ts";
import { readSummaries } from "./read-summaries.ts";

/** Numbers of history between which everything is that a selection of time can have. */
interface Bounds {
  readonly after: number;
  readonly before: number;
}

// At first few matches are compared with the rest of the filter, among few invocations. PostgreSQL
// looks at every invocation that has a word, even if the newest would do.
const firstStep = { matches: 200, rows: 2_000 };
const maxMatches = 5_000;
// Where the index alone does not tell, texts are read.
const textStep = { matches: 200, rows: 2_000 };

/** Finds invocations by words in what they returned, threw or printed: those that ended last first. */
export async function findSummaries(
  reader: OverviewReader,
  selection: InvocationSelection,
  { words, limit, continuationToken }: PageRequest & { readonly words: string },
): Promise<SummaryPage> {
  const end = performance.now() + pageBudgetMs;
  const query = toSearchQuery(words);
  const isExact = reader.index.isExact(query);
  await catchUp(reader.store, reader.index);
  const bounds = await findBounds(reader, selection);
  if (bounds === undefined) return { invocations: [], continuation_token: null };
  const found: number[] = [];
  let before: number | undefined =
    continuationToken === undefined ? bounds.before : toNumber(continuationToken);
  let { matches, rows } = isExact ? firstStep : textStep;
  if (reader.store.kind === "sqlite") rows = Number.POSITIVE_INFINITY;
  while (before !== undefined && found.length <= limit) {
    const after = Math.max(bounds.after, before - rows);
    const range = { before, after, limit: matches };
    const seqs = await findMatches(reader, selection, { query, ...range });
    const kept = await keepSelected(reader, selection, seqs);
    found.push(...(isExact ? kept : await keepMatching(reader, kept, query)));
    const last = seqs.length === matches ? (seqs.at(-1) ?? 0) : after + 1;
    before = last > bounds.after + 1 ? last : undefined;
    if (isExact) matches = Math.min(matches * 4, maxMatches);
    rows *= 4;
    if (performance.now() > end) break;
  }
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1) : before;
  return {
    invocations: await readSummaries(reader, page, await readExcerpts(reader, page, query)),
    continuation_token: next === undefined ? null : `0-${next}`,
  };
}

/** Finds the newest invocations that have words, as many as a chart shows. The newest first. */
export async function findNewest(
  reader: OverviewReader,
  selection: InvocationSelection,
  { words, limit }: { readonly words: string; readonly limit: number },
): Promise<readonly number[]> {
  await catchUp(reader.store, reader.index);
  const bounds = await findBounds(reader, selection);
  if (bounds === undefined) return [];
  return findMatches(reader, selection, { query: toSearchQuery(words), ...bounds, limit });
}

function findMatches(
  { db, index, options }: OverviewReader,
  { scope }: InvocationSelection,
  asked: Bounds & { readonly query: SearchQuery; readonly limit: number },
): Promise<readonly number[]> {
  return index.find(db, { ...asked, scope }, options);
}

/** `undefined` if there is nothing in the time. */
async function findBounds(
  { db, options }: OverviewReader,
  { organization, from, to }: InvocationSelection,
): Promise<Bounds | undefined> {
  if (from === undefined && to === undefined) {
    const { last } = await db
      .selectFrom("invocations")
      .select(({ fn }) => fn.max("seq").as("last"))
      .executeTakeFirstOrThrow(options);
    return last === null ? undefined : { after: 0, before: last + 1 };
  }
  const { first, last } = await db
    .selectFrom("invocations")
    .select(({ fn }) => [fn.min("seq").as("first"), fn.max("seq").as("last")])
    .where("org_id", "=", organization)
    .where("created_at", ">=", from ?? 0)
    .$if(to !== undefined, (query) => query.where("created_at", "<", to ?? 0))
    .executeTakeFirstOrThrow(options);
  return last === null ? undefined : { after: first - 1, before: last + 1 };
}

/** Of these numbers, those of the selection, the highest first. */
async function keepSelected(
  { store, db, options }: OverviewReader,
  { condition }: InvocationSelection,
  seqs: readonly number[],
): Promise<readonly number[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .selectFrom("invocations")
    .select("seq")
    .where(isAmong(store, "seq", new Set(seqs)))
    .where(condition)
    .orderBy("seq", "desc")
    .execute(options);
  return rows.map(({ seq }) => seq);
}

async function keepMatching(
  reader: OverviewReader,
  seqs: readonly number[],
  query: SearchQuery,
): Promise<readonly number[]> {
  const rows = await readTexts(reader, seqs, query.inPrinted);
  return rows.filter((row) => matchesQuery(query, row)).map(({ seq }) => seq);
}

async function readTexts(
  { db, options }: OverviewReader,
  seqs: readonly number[],
  withPrinted: boolean,
): Promise<readonly ({ readonly seq: number } & SearchedRow)[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .selectFrom("invocations")
    .select(["seq", "id", "apart", ...searchFields])
    .$if(withPrinted, (query) => query.select("printed"))
    .where("seq", "in", seqs)
    .orderBy("seq", "desc")
    .execute(options);
  return joinPayloads(db, rows);
}

/** Reads the texts around matches. */
async function readExcerpts(
  reader: OverviewReader,
  seqs: readonly number[],
  query: SearchQuery,
): Promise<ReadonlyMap<number, string>> {
  const rows = await readTexts(reader, seqs, false);
  // Words have no characters that mean something in a pattern.
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${query.phrases.flat().join("|")})(?![\\p{L}\\p{N}])`,
    "iu",
  );
  return new Map(
    rows.map((row) => [
      row.seq,
      cutAround(
        searchFields.map((field) => row[field] ?? ""),
        pattern,
      ),
    ]),
  );
}

/** Returns the text around the first match, or the beginning of the first text. */
function cutAround(texts: readonly string[], pattern: RegExp): string {
  for (const text of texts) {
    const at = text.search(pattern);
    if (at < 0) continue;
    const start = Math.max(0, at - 60);
    return `${start > 0 ? "…" : ""}${toExcerpt(text.slice(start))}`;
  }
  return toExcerpt(texts.find((text) => text !== "") ?? "");
}

function toNumber(token: string): number {
  return Number(token.split("-")[1]);
}
