import { type ChangeHistory, type PastChange, type PathState, ToolError } from "@haft/contract";
import { findHunks, isSameBytes, splitBytes } from "@haft/contract/internal";

/** What to undo. */
export interface UndoRequest {
  readonly path: string | undefined;
  /** The oldest call to undo. */
  readonly to: string | undefined;
  readonly redo: boolean;
}

/** Finds the changes to undo, newest first. */
export async function findChanges(
  { path, to, redo }: UndoRequest,
  history: ChangeHistory,
): Promise<readonly PastChange[]> {
  if (to === undefined && !redo) return findLatest(path, history);
  const calls = (await history.calls?.()) ?? [];
  if (redo) return calls.find(({ isUndo }) => isUndo)?.changes() ?? [];
  const changing = calls.filter(({ isUndo }) => !isUndo);
  const named = changing.filter(({ id, callId }) => id === to || callId === to);
  const [call] = named.length > 0 ? named : changing.filter(({ id }) => id.startsWith(to ?? ""));
  if (call === undefined) {
    throw new ToolError(
      "not-found",
      `No call ${JSON.stringify(to)} has changes to undo. \`haft undo --list\` lists the calls.`,
    );
  }
  return changing.slice(0, changing.indexOf(call) + 1).flatMap((each) => each.changes());
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
