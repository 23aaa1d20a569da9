import { type ErrorCode, type RunningProcess, ToolError } from "@haft/contract";

/** Why a run was stopped. */
export type RunStop =
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "aborted"; readonly reason: unknown }
  | { readonly kind: "prompt"; readonly prompt: string };

/** Ends a watch. */
export type EndWatch = () => void;

/** Reports when a run is aborted. */
export function watchForAbort(signal: AbortSignal, onStop: (stop: RunStop) => void): EndWatch {
  const onAbort = (): void => onStop({ kind: "aborted", reason: signal.reason });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return () => signal.removeEventListener("abort", onAbort);
}

/** Reports when a run's time is over. */
export function watchForTimeout(timeoutMs: number, onStop: (stop: RunStop) => void): EndWatch {
  const stop = (): void => onStop({ kind: "timeout", timeoutMs });
  const timer = setTimeout(stop, Math.min(timeoutMs, maxTimer));
  return () => clearTimeout(timer);
}

// Timers treat larger values as zero.
const maxTimer = 2 ** 31 - 1;

/** Throws if the call was aborted, so that nothing is started for it. */
export function requireUnstopped({ aborted, reason }: AbortSignal, what: string): void {
  if (aborted) throw stopError({ kind: "aborted", reason }, { what });
}

/** A run that was stopped. */
export interface StoppedRun {
  /** What to call it in messages. */
  readonly what: string;
  /** Processes that were running. */
  readonly left?: readonly RunningProcess[];
  /** Its output so far. */
  readonly partial?: string;
}

/** The error of a run that was stopped. */
export function stopError(stop: RunStop, { what, left = [], partial }: StoppedRun): ToolError {
  const { code, sentence } = explain(stop, what);
  const options = partial === undefined ? {} : { partial };
  return new ToolError(code, sentence + nameLeft(left), options);
}

function explain(stop: RunStop, what: string): { code: ErrorCode; sentence: string } {
  switch (stop.kind) {
    case "timeout":
      return {
        code: "timeout",
        sentence: `${what} was stopped after ${stop.timeoutMs / 1000} seconds, its time limit.`,
      };
    case "prompt":
      return { code: "failed", sentence: `${what} was stopped: it waits for input from a person.` };
    case "aborted":
      return ToolError.isInstance(stop.reason)
        ? { code: stop.reason.code, sentence: stop.reason.message }
        : { code: "cancelled", sentence: `${what} was stopped: the call was aborted.` };
  }
}

const maxNamed = 10;

function nameLeft(left: readonly RunningProcess[]): string {
  if (left.length === 0) return "";
  const named = left.slice(0, maxNamed).map(({ pid, command, ports }) => {
    const where = ports.length === 0 ? "" : `, port ${ports.join(", ")}`;
    return `${command} (pid ${pid}${where})`;
  });
  const more = left.length > maxNamed ? `, and ${left.length - maxNamed} more` : "";
  return ` Processes ended with it: ${named.join(", ")}${more}.`;
}
