import type { ChangeHistory, PastChange, PathState } from "@haft/contract";
import { isSameBytes, splitBytes } from "../lines/byte-lines.ts";
import { findHunks } from "../lines/find-hunks.ts";

/**
 * The changes to take back: all of the last call, or the last one of a path. Where that was a move,
 * both of its ends belong together.
 */
export async function findChanges(
  path: string | undefined,
  history: ChangeHistory,
): Promise<readonly PastChange[]> {
  const found = await history.latest(path);
  const [change] = found;
  if (path === undefined || change === undefined || !mayBeMoved(change)) return found;
  for (const other of change.together ?? []) {
    const [last] = await history.latest(other);
    if (last !== undefined && isOtherEnd(last, change)) return [change, last];
  }
  return found;
}

function mayBeMoved({ before, after }: PastChange): boolean {
  return (before.kind === "absent") !== (after.kind === "absent");
}

function isOtherEnd(other: PastChange, change: PastChange): boolean {
  if (other.callId !== change.callId || other.at !== change.at) return false;
  return change.after.kind === "absent"
    ? other.before.kind === "absent" && isAlike(other.after, change.before)
    : other.after.kind === "absent" && isAlike(other.before, change.after);
}

// A patch may move a file and edit it in one.
function isAlike(a: PathState, b: PathState): boolean {
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  if (a.kind !== "file" || b.kind !== "file") return false;
  if (isSameBytes(a.content, b.content)) return true;
  const [before, after] = [splitBytes(a.content).keys, splitBytes(b.content).keys];
  const changed = findHunks(before, after).reduce((sum, { start, end }) => sum + end - start, 0);
  return 2 * (before.length - changed) >= Math.max(before.length, after.length);
}
