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
