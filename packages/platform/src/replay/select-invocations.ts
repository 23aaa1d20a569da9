import type { InvocationFilter } from "../history/invocation-filter.ts";
import { listInvocations, type StoredInvocation } from "../history/list-invocations.ts";
import type { Store } from "../store/store.ts";

/** Which recorded invocations are used again. */
export interface InvocationSelection {
  readonly filter: InvocationFilter;
  /** The earliest start, in milliseconds. */
  readonly since: number;
  readonly limit: number;
  readonly accepts?: (row: StoredInvocation) => boolean;
}

const pageRows = 100;

/** Selects recorded invocations, the oldest of the newest first. */
export async function selectInvocations(
  store: Store,
  { filter, since, limit, accepts = () => true }: InvocationSelection,
): Promise<{ readonly rows: readonly StoredInvocation[]; readonly hasMore: boolean }> {
  const rows: StoredInvocation[] = [];
  let continuationToken = 0;
  for (;;) {
    const query = { filter, sort: [], limit: pageRows, continuationToken };
    const page = await listInvocations(store, query);
    for (const row of page.rows) {
      // History is in the order in which invocations ended.
      if (row.updated_at < since) return { rows: rows.toReversed(), hasMore: false };
      if (row.created_at < since || !accepts(row)) continue;
      if (rows.length === limit) return { rows: rows.toReversed(), hasMore: true };
      rows.push(row);
    }
    if (page.continuationToken === null) return { rows: rows.toReversed(), hasMore: false };
    continuationToken = page.continuationToken;
  }
}

const maxConcurrent = 5;

/**
 * Works on each item, a few at a time. Once the signal aborts, no more are begun, and the results of
 * those that were are returned.
 */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal | undefined,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const entries = items.entries();
  const results: { readonly index: number; readonly result: Result }[] = [];
  const workOff = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (signal?.aborted === true) return;
      results.push({ index, result: await work(item, index) });
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, workOff));
  return results.sort((one, other) => one.index - other.index).map(({ result }) => result);
}
