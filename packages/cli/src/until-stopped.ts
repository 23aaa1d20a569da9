import type { Io } from "./io.ts";

/** Resolves when the person wants to stop. */
export function untilStopped({ signal }: Io): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
