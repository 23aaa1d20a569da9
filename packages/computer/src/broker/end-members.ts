import { setTimeout as wait } from "node:timers/promises";
import type { ProcessEntry } from "./process-table.ts";
import { findMembers, type RunTraces } from "./run-members.ts";

const patienceMs = 900;
const pauseMs = 2;

/** Kills the processes of a run, repeatedly until none is left; returns those that remain. */
export async function endMembers(run: RunTraces): Promise<readonly ProcessEntry[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    // First the whole group, which is all that can be done where there is no `/proc`.
    if (run.pid !== undefined) endProcess(-run.pid);
    const members = findMembers(run);
    if (members.length === 0 || performance.now() > deadline) return members;
    for (const { pid } of members) endProcess(pid);
    await wait(pauseMs);
  }
}

/** Kills a process, or with a negative number a process group. */
export function endProcess(pid: number): void {
  // These numbers mean init, our own group, and all processes.
  if (Math.abs(pid) <= 1) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, or is not ours.
  }
}
