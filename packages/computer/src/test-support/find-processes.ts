import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** The processes whose command line holds a text, but for this one. */
export function findProcesses(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && readCommand(pid).includes(text));
}

/** Comes back when no such process is left. */
export async function untilGone(text: string): Promise<void> {
  while (findProcesses(text).length > 0) await wait(10);
}

/** Comes back when there are so many such processes. */
export async function untilThere(text: string, count = 1): Promise<void> {
  while (findProcesses(text).length < count) await wait(10);
}

let made = 0;

/** A unique number of seconds to sleep, which identifies the process. */
export function uniqueSleep(): string {
  made++;
  return `${1_000 + made}.${String(process.pid).padStart(8, "0")}${Math.floor(Math.random() * 1e6)}`;
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
