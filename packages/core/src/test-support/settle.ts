import { setImmediate } from "node:timers/promises";

// On a busy machine a batch gives others their turn after each of its calls.
const turns = 30;

/** Resolves when everything that needs no outside event has happened. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}
