import type { Io } from "./io.ts";

/** Resolves when the person stops the command. */
export function untilStopped({ signal }: Io): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
