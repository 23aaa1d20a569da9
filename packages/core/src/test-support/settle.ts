import { setImmediate } from "node:timers/promises";
import { violations } from "../schema/schema-check.ts";

// On a busy machine a batch gives others their turn after each of its calls.
const turns = 30;

/** Resolves when everything that needs no outside event has happened. */
export async function settle(): Promise<void> {
  // The schema compiler is loaded when it is first needed, which takes longer than a turn.
  await violations({ type: "object" }, {});
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}
