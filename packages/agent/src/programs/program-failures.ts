import { constants } from "node:os";
import { ToolError } from "@haft/contract";
import { programLimits } from "./program-limits.ts";
import type { ProgramMessage } from "./program-messages.ts";
import type { ProcessEnd } from "./program-pool.ts";

/** Describes an exception of a program. */
export function describeFailure(
  { message, line, code }: Extract<ProgramMessage, { kind: "fail" }>,
  calls: number,
): ToolError {
  const place = line === undefined ? "" : ` at line ${line}`;
  const kind = code === undefined ? "" : ` (${code})`;
  const made =
    calls === 0
      ? "It made no call."
      : `It had made ${calls === 1 ? "1 call" : `${calls} calls`}; what changed stays.`;
  return new ToolError("failed", `The program failed${place}: ${message}${kind}\n${made}`);
}

const memoryWords = /out of memory|allocation failed|cannot allocate memory|bad_alloc|oom error/iu;

/** Explains why the process of a program ended by itself. */
export function explainEnd({ exitCode, signal, lastWords }: ProcessEnd): string {
  if (memoryWords.test(lastWords)) {
    return `The program ran out of memory: its limit is ${programLimits.memoryMb} MB. Keep less at once.`;
  }
  const number = exitCode !== undefined && exitCode > 128 ? exitCode - 128 : undefined;
  const known = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  const how = signal ?? known ?? `exit code ${exitCode ?? "unknown"}`;
  return `The program's process ended with ${how}. It may have used more than its ${programLimits.memoryMb} MB of memory.`;
}
