import type { Runtime, RuntimeSession } from "@haft/contract";
import { findGuidance } from "./find-guidance.ts";

/**
 * Like `findGuidance`, but looks for each file once per session: edits are often in the same
 * directories, and a lookup takes as long as a small edit.
 */
export async function findNewGuidance(
  paths: readonly string[],
  runtime: Runtime,
): Promise<string[]> {
  // The result of a cancelled call is not read, so the next call reports these files.
  if (runtime.signal.aborted) return [];
  const { state } = runtime.session;
  let looked = bySession.get(state);
  if (looked === undefined) {
    looked = new Set();
    bySession.set(state, looked);
  }
  return findGuidance(paths, runtime, looked);
}

// Not in the session's state: another process that continues the session may report them again.
const bySession = new WeakMap<RuntimeSession["state"], Set<string>>();
