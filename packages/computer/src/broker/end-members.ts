import { setTimeout as wait } from "node:timers/promises";
import type { ProcessEntry } from "./process-table.ts";
import { findMembers, type RunTraces } from "./run-members.ts";

const patienceMs = 900;
const pauseMs = 2;

/** Ends whatever belongs to a run, again and again until nothing is left; returns what is. */
export async function endMembers(run: RunTraces): Promise<readonly ProcessEntry[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    // At once and without knowing them, which is all that can be done where there is no `/proc`.
    if (run.pid !== undefined) endProcess(-run.pid);
    const members = findMembers(run);
    if (members.length === 0 || performance.now() > deadline) return members;
    for (const { pid } of members) endProcess(pid);
    await wait(pauseMs);
  }
}

/** Ends a process, or with a negative number a group of them. */
export function endProcess(pid: number): void {
  // These numbers mean the first process, our own group, and everybody.
  if (Math.abs(pid) <= 1) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, or is none of ours.
  }
}
