import { splitChangeId } from "./join-changes.ts";

/** What has to be known of a change to tell whether it still stands. */
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
  /** All of the latest call that has any, instead of the latest. */
  readonly ofOneCall: boolean;
  /** Whether the path holds something else than before the change. Asked last: it takes time. */
  isInEffect(change: Change): boolean;
}

/**
 * Goes through changes, newest first, for those that nobody has taken back. A change that takes
 * another back is not offered itself.
 */
export function findStanding<Change extends NotedChange>(
  newestFirst: Iterable<Change>,
  query: StandingQuery<Change>,
): Change[] {
  const undone = new Set<string>();
  const seen = new Set<string>();
  const standing: Change[] = [];
  for (const change of newestFirst) {
    const isLast = !seen.has(change.path);
    seen.add(change.path);
    if (change.undoes !== undefined) {
      // The last one may have been written down and then not happened.
      if (isLast && !query.isInEffect(change)) continue;
      for (const id of splitChangeId(change.undoes)) undone.add(id);
      continue;
    }
    const [first] = standing;
    if (undone.has(change.id) || !query.isWanted(change.path)) continue;
    if (first !== undefined && first.call !== change.call) continue;
    const isLater = standing.some(({ path }) => path === change.path);
    if (!isLater && !query.isInEffect(change)) continue;
    standing.push(change);
    if (!query.ofOneCall) break;
  }
  return standing;
}
