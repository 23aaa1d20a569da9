import {
  type ChangeHistory,
  type PastCall,
  type PastChange,
  type PathState,
  ToolError,
} from "@haft/contract";
import { findHunks, isSameBytes, splitBytes } from "@haft/contract/internal";

/** What to undo. */
export interface UndoRequest {
  readonly path: string | undefined;
  /** The oldest call to undo. */
  readonly to: string | undefined;
  /** The only call to undo, or the undo to revert. */
  readonly call: string | undefined;
  readonly redo: boolean;
}

/** Finds the changes to undo, newest first. */
export async function findChanges(
  { path, to, call, redo }: UndoRequest,
  history: ChangeHistory,
): Promise<readonly PastChange[]> {
  const wanted = to ?? call;
  if (wanted === undefined && !redo) return findLatest(path, history);
  const calls = ((await history.calls?.()) ?? []).filter(({ isUndo }) => isUndo === redo);
  if (wanted === undefined) return calls[0]?.changes() ?? [];
  const found = findCall(calls, wanted);
  if (found === undefined) {
    const what = redo ? "undid changes that can be redone" : "has changes to undo";
    throw new ToolError(
      "not-found",
      `No call ${JSON.stringify(wanted)} ${what}. \`haft undo --list\` lists the calls.`,
    );
  }
  if (call !== undefined) return found.changes();
  return calls.slice(0, calls.indexOf(found) + 1).flatMap((each) => each.changes());
}

function findCall(calls: readonly PastCall[], wanted: string): PastCall | undefined {
  return (
    calls.find(({ id, callId }) => id === wanted || callId === wanted) ??
    calls.find(({ id }) => id.startsWith(wanted))
  );
}

/** All changes of the last call, or the last one of a path. Both ends of a move belong together. */
async function findLatest(
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

// A patch may move and edit a file at once.
function isAlike(a: PathState, b: PathState): boolean {
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  if (a.kind !== "file" || b.kind !== "file") return false;
  if (isSameBytes(a.content, b.content)) return true;
  const [before, after] = [splitBytes(a.content).keys, splitBytes(b.content).keys];
  const changed = findHunks(before, after).reduce((sum, { start, end }) => sum + end - start, 0);
  return 2 * (before.length - changed) >= Math.max(before.length, after.length);
}
