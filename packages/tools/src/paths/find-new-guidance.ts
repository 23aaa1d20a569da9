import type { Runtime, RuntimeSession } from "@haft/contract";
import { findGuidance } from "./find-guidance.ts";

/**
 * Like `findGuidance`, but each file is looked for, and so told, once a session: edits come in crowds
 * in few directories, and to look takes as long as a small edit.
 */
export async function findNewGuidance(
  paths: readonly string[],
  runtime: Runtime,
): Promise<string[]> {
  // Nobody hears what a call says that is over: what it would tell is left to the next one.
  if (runtime.signal.aborted) return [];
  const { state } = runtime.session;
  let looked = bySession.get(state);
  if (looked === undefined) {
    looked = new Set();
    bySession.set(state, looked);
  }
  return findGuidance(paths, runtime, looked);
}

// Not in the session's state: a session that goes on in another process may well hear it again.
const bySession = new WeakMap<RuntimeSession["state"], Set<string>>();
