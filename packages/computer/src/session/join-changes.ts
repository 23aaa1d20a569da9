import type { PastChange, PathState } from "@haft/contract";
import { findPrint } from "../moves/kept-states.ts";
import { isSameState } from "../paths/path-state.ts";

const separator = "+";

/**
 * Joins the changes of one call, newest first, into one per path: consecutive changes of a path
 * become one. Where another change came between, the older ones are left out.
 */
export function joinChanges(newestFirst: readonly PastChange[]): PastChange[] {
  const joined = new Map<string, PastChange>();
  const interrupted = new Set<string>();
  for (const change of newestFirst) {
    const newer = joined.get(change.path);
    if (newer === undefined) {
      joined.set(change.path, change);
    } else if (!interrupted.has(change.path) && isSame(change.after, newer.before)) {
      const id = `${newer.id}${separator}${change.id}`;
      joined.set(change.path, { ...newer, id, before: change.before });
    } else {
      interrupted.add(change.path);
    }
  }
  return [...joined.values()];
}

function isSame(a: PathState, b: PathState): boolean {
  const [one, other] = [findPrint(a), findPrint(b)];
  return one === undefined || other === undefined ? isSameState(a, b) : one === other;
}

/** Returns the IDs of the changes that a joined ID stands for. */
export function splitChangeId(id: string): readonly string[] {
  return id.split(separator);
}
