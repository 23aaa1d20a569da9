import { constants } from "node:os";
import type { WorkerEnd } from "./worker-process.ts";

/** Says why a tool's process ended while an invocation was under way, and what to do about it. */
export function explainDeath(
  { exitCode, signal, lastWords, wasGarbled }: WorkerEnd,
  memoryMb: number,
): string {
  if (wasGarbled) {
    return "The tool wrote into the line between its sandbox and the server, and was ended. Print with console.log or print only.";
  }
  const number = exitCode === undefined || exitCode <= 128 ? undefined : exitCode - 128;
  const name = signal ?? nameOfSignal(number);
  const isOutOfMemory =
    memoryWords.test(lastWords) && (name !== undefined || !/^[01]$/u.test(`${exitCode}`));
  if (isOutOfMemory) {
    return `The tool ran out of memory: it may use ${memoryMb} MB. Let it hold less at a time, or raise limits.memoryMb in tool.json.`;
  }
  if (name === "SIGKILL") {
    return `The tool's process was killed (SIGKILL), by itself or for lack of memory; it may use ${memoryMb} MB.`;
  }
  if (name !== undefined) return `The tool's process crashed (${name}).`;
  return `The tool ended its own process with exit code ${exitCode ?? "unknown"}. Return or throw instead of exiting.`;
}

const memoryWords =
  /out of memory|allocation failed|cannot allocate memory|MemoryError|bad_alloc|oom error/iu;

function nameOfSignal(number: number | undefined): string | undefined {
  if (number === undefined) return undefined;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
