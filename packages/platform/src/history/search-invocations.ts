import { listedColumns } from "../store/invocation-row.ts";
import type { Store } from "../store/store.ts";
import { catchUp } from "./index-next.ts";
import { type InvocationFilter, toCondition } from "./invocation-filter.ts";
import { findByAge, readInvocations, type StoredInvocation } from "./list-invocations.ts";
import { joinPayloads } from "./payloads.ts";
import type { SearchIndex } from "./search-index.ts";
import { matchesQuery, type SearchQuery } from "./search-query.ts";

/** What to look for, and among which invocations. */
export interface InvocationSearch {
  readonly query: SearchQuery;
  readonly filter: InvocationFilter;
  /** Whether to read what the invocations printed. */
  readonly withPrinted: boolean;
}

const maxFound = 100;

/** Finds invocations by their texts: the newest first, at most 100. */
export async function searchInvocations(
  store: Store,
  index: SearchIndex,
  search: InvocationSearch,
): Promise<readonly StoredInvocation[]> {
  const { conversationIds, simulationRunIds } = search.filter;
  // A conversation or a simulation has so few rows that it is quicker to look at each.
  const isNarrow = conversationIds.length + simulationRunIds.length > 0;
  if (!isNarrow) await catchUp(store, index);
  const next = isNarrow ? readNarrow : readIndexed(index);
  const found: StoredInvocation[] = [];
  let before: number | undefined;
  while (found.length < maxFound) {
    const page = await next(store, search, before);
    found.push(...page.rows);
    before = page.last;
    if (before === undefined) break;
  }
  return found.slice(0, maxFound).map(({ printed, ...row }) => ({
    ...row,
    ...(search.withPrinted && { printed: printed ?? null }),
  }));
}

/** Rows that match, and where the next ones begin; `undefined` if there are no more. */
interface Candidates {
  readonly rows: readonly StoredInvocation[];
  readonly last: number | undefined;
}

type ReadCandidates = (
  store: Store,
  search: InvocationSearch,
  before: number | undefined,
) => Promise<Candidates>;

const readNarrow: ReadCandidates = async ({ db }, { query, filter, withPrinted }, before) => {
  const seqs = await findByAge(db, {
    filter,
    sort: [],
    limit: maxFound,
    continuationToken: before ?? 0,
  });
  const rows = await readInvocations(db, seqs, { withPrinted: withPrinted || query.inPrinted });
  return {
    rows: rows.filter((row) => matchesQuery(query, row)),
    last: seqs.length > maxFound ? seqs.at(-1) : undefined,
  };
};

function readIndexed(index: SearchIndex): ReadCandidates {
  return async ({ db }, { query, filter, withPrinted }, before) => {
    const scope = {
      ...filter,
      toolIds: filter.tools.map(({ toolId }) => toolId),
    };
    const seqs = await index.find(db, {
      query,
      scope,
      before,
      limit: maxFound,
    });
    if (seqs.length === 0) return { rows: [], last: undefined };
    // The index is asked first; what the rows themselves say is what counts.
    const found = await db
      .selectFrom("invocations")
      .select(listedColumns)
      .$if(withPrinted || (query.inPrinted && !index.isExact(query)), (all) =>
        all.select("printed"),
      )
      .where("seq", "in", seqs)
      .where(toCondition(filter))
      .orderBy("seq", "desc")
      .execute();
    const rows = await joinPayloads(db, found);
    return {
      rows: index.isExact(query) ? rows : rows.filter((row) => matchesQuery(query, row)),
      last: seqs.length === maxFound ? seqs.at(-1) : undefined,
    };
  };
}
