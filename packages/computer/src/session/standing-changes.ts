import { splitChangeId } from "./join-changes.ts";

/** What must be known about a change to tell whether it still stands. */
export interface NotedChange {
  readonly id: string;
  /** The call that made it; calls of different processes are different calls. */
  readonly call: string;
  readonly path: string;
  readonly undoes?: string | undefined;
}

/** Which changes to find. */
export interface StandingQuery<Change extends NotedChange> {
  isWanted(path: string): boolean;
  /** Return all changes of the latest call that has any, instead of the latest change. */
  readonly ofOneCall: boolean;
  /** Whether the path differs from its state before the change. Checked last: it takes time. */
  isInEffect(change: Change): boolean;
}

/**
 * Finds the changes, newest first, that were not undone. A change that undoes another is not
 * returned itself.
 */
export function findStanding<Change extends NotedChange>(
  newestFirst: Iterable<Change>,
  query: StandingQuery<Change>,
): Change[] {
  const standing: Change[] = [];
  const paths = new Set<string>();
  for (const change of eachStanding(newestFirst, query.isInEffect)) {
    const [first] = standing;
    if (change.undoes !== undefined || !query.isWanted(change.path)) continue;
    if (first !== undefined && first.call !== change.call) continue;
    if (!paths.has(change.path) && !query.isInEffect(change)) continue;
    paths.add(change.path);
    standing.push(change);
    if (!query.ofOneCall) break;
  }
  return standing;
}

/** Lists the changes, newest first, that were not undone: changes, and undos that were not redone. */
export function* eachStanding<Change extends NotedChange>(
  newestFirst: Iterable<Change>,
  isInEffect: (change: Change) => boolean,
): Generator<Change> {
  const undone = new Set<string>();
  const seen = new Set<string>();
  for (const change of newestFirst) {
    const isLast = !seen.has(change.path);
    seen.add(change.path);
    if (undone.has(change.id)) continue;
    if (change.undoes !== undefined) {
      // The last one may have been recorded without taking effect.
      if (isLast && !isInEffect(change)) continue;
      for (const id of splitChangeId(change.undoes)) undone.add(id);
    }
    yield change;
  }
}
