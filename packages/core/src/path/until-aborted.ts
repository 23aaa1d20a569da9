import { ToolError } from "@haft/contract";
import type { Call } from "./call.ts";

/** Waits for a promise, or rejects when the signal is aborted. */
export function untilAborted<T>(
  { signal }: { readonly signal: AbortSignal },
  waiting: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Aborts a call with a signal, until the returned function is called. */
export function linkSignal(call: Call, signal: AbortSignal): () => void {
  const stop = (): void => call.abort(new ToolError("cancelled", "The call was aborted."));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}
