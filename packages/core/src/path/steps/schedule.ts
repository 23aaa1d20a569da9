import type { Subject } from "../../rules/subject.ts";
import type { FileLock } from "../../schedule/file-locks.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/**
 * Waits for earlier conflicting calls of this session, then locks the call's files, which keeps other
 * sessions and processes from writing them at the same time.
 */
export function schedule(call: Call, context: CallContext): undefined | Promise<void> {
  const turn = context.queue.turnOf(call);
  if (turn === undefined) return noteWait(call, lockFiles(call, context), context);
  const waiting = untilAborted(call, turn).then(() => lockFiles(call, context));
  return noteWait(call, waiting, context);
}

function noteWait(
  call: Call,
  waiting: undefined | Promise<void>,
  { clock }: CallContext,
): undefined | Promise<void> {
  if (waiting === undefined) return undefined;
  const since = clock.monotonic();
  return waiting.finally(() => {
    call.queuedMs = Math.round(clock.monotonic() - since);
  });
}

function lockFiles(call: Call, context: CallContext): undefined | Promise<void> {
  const locks = findLocks(call, context);
  if (locks.length === 0) return undefined;
  const waiting = context.fileLocks.acquire(locks, call);
  if (waiting === undefined) {
    call.locks = locks;
    return holdFiles(call, locks, context);
  }
  return waiting.then(() => {
    call.locks = locks;
    return holdFiles(call, locks, context);
  });
}

// Readers need no hold: files are replaced atomically.
function holdFiles(
  call: Call,
  locks: readonly FileLock[],
  { computer }: CallContext,
): undefined | Promise<void> {
  const written = locks.filter(({ mode }) => mode === "write").map(({ key }) => key);
  if (written.length === 0) return undefined;
  const held = computer.holdFiles(written, call);
  if (!(held instanceof Promise)) {
    call.release = held;
    return undefined;
  }
  return held.then((release) => {
    call.release = release;
  });
}

function findLocks({ subjects }: Call, context: CallContext): readonly FileLock[] {
  if (subjects.every(isReadFile)) return subjects;
  return subjects
    .filter(({ type, tree }) => type === "file" && !tree)
    .flatMap(({ key, mode }): FileLock[] => {
      if (mode === "read") return [{ key, mode }];
      // A writer also locks the path after links, so that two names of a file exclude each other.
      const names = new Set([key, context.computer.identify(key)]);
      return Array.from(names, (name) => ({ key: name, mode }));
    });
}

// Most calls only read files.
function isReadFile({ type, mode, tree }: Subject): boolean {
  return type === "file" && mode === "read" && !tree;
}
