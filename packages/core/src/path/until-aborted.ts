import type { Call } from "./call.ts";

/** Waits for something, but no longer than the call is wanted. */
export function untilAborted<T>(call: Call, waiting: Promise<T>): Promise<T> {
  const { signal } = call;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
