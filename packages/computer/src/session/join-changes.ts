import type { PastChange } from "@haft/contract";
import { isSameState } from "../paths/path-state.ts";

const separator = "+";

/**
 * Of the changes of one call, newest first, makes one for each path: those that went on where the
 * one before had stopped become one change. Where somebody else came between, the older ones wait.
 */
export function joinChanges(newestFirst: readonly PastChange[]): PastChange[] {
  const joined = new Map<string, PastChange>();
  const interrupted = new Set<string>();
  for (const change of newestFirst) {
    const newer = joined.get(change.path);
    if (newer === undefined) {
      joined.set(change.path, change);
    } else if (!interrupted.has(change.path) && isSameState(change.after, newer.before)) {
      const id = `${newer.id}${separator}${change.id}`;
      joined.set(change.path, { ...newer, id, before: change.before });
    } else {
      interrupted.add(change.path);
    }
  }
  return [...joined.values()];
}

/** The changes that an id stands for. */
export function splitChangeId(id: string): readonly string[] {
  return id.split(separator);
}
