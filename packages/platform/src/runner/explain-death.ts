import { constants } from "node:os";
import type { WorkerEnd } from "./worker-process.ts";

/** Explains why a tool's process ended during an invocation, and what to do about it. */
export function explainDeath(
  { exitCode, signal, lastWords, wasGarbled }: WorkerEnd,
  memoryMb: number,
): string {
  if (wasGarbled) {
    return "The tool wrote to the channel between its sandbox and the server and was stopped. Print only with console.log or print.";
  }
  const number = exitCode === undefined || exitCode <= 128 ? undefined : exitCode - 128;
  const name = signal ?? nameOfSignal(number);
  const isOutOfMemory =
    memoryWords.test(lastWords) && (name !== undefined || !/^[01]$/u.test(`${exitCode}`));
  if (isOutOfMemory) {
    return `The tool ran out of memory: its limit is ${memoryMb} MB. Use less memory, or raise limits.memoryMb in tool.json.`;
  }
  if (name === "SIGKILL") {
    return `The tool's process was killed (SIGKILL). It may have killed itself or exceeded its memory limit of ${memoryMb} MB.`;
  }
  if (name !== undefined) return `The tool's process crashed (${name}).`;
  return `The tool's process ended with exit code ${exitCode ?? "unknown"}. Return or throw instead of exiting.`;
}

const memoryWords =
  /out of memory|allocation failed|cannot allocate memory|MemoryError|bad_alloc|oom error/iu;

function nameOfSignal(number: number | undefined): string | undefined {
  if (number === undefined) return undefined;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
