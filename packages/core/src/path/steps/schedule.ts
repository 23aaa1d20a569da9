import type { FileLock } from "../../schedule/file-locks.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/**
 * Waits for earlier calls of this session that conflict, then takes the call's files, which keeps
 * other sessions of this process away from them.
 */
export function schedule(call: Call, context: CallContext): undefined | Promise<void> {
  const turn = context.queue.turnOf(call);
  if (turn === undefined) return lockFiles(call, context);
  return untilAborted(call, turn).then(() => lockFiles(call, context));
}

function lockFiles(call: Call, context: CallContext): undefined | Promise<void> {
  const locks = findLocks(call, context);
  if (locks.length === 0) return undefined;
  const held = context.fileLocks.acquire(locks, () => call.signal);
  if (held === undefined) {
    call.locks = locks;
    return undefined;
  }
  return held.then(() => {
    call.locks = locks;
  });
}

function findLocks(call: Call, context: CallContext): FileLock[] {
  const locks: FileLock[] = [];
  for (const { type, key, mode, tree } of call.subjects) {
    if (type !== "file" || tree) continue;
    locks.push({ path: key, mode });
    if (mode === "read") continue;
    // A writer also holds the file its name leads to, so that two names of it exclude each other.
    const landed = context.computer.identify(key);
    if (landed !== key) locks.push({ path: landed, mode });
  }
  return locks;
}
