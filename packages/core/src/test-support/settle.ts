import { violations } from "../schema/schema-check.ts";

/** Resolves when everything that needs no outside event has happened. */
export async function settle(): Promise<void> {
  // The schema compiler is loaded when it is first needed, which takes longer than a turn.
  await violations({ type: "object" }, {});
  await new Promise((resolve) => setTimeout(resolve, 0));
}
