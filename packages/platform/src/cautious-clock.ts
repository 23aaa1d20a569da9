import { steadyNow } from "./runner/steady-clock.ts";

/**
 * Creates a clock for deleting things by age. It never runs ahead of the time that really passed
 * since it was created, so setting the machine's clock forward by mistake deletes nothing.
 */
export function createCautiousClock(
  now: () => number,
  steady: () => number = steadyNow,
): () => number {
  const offset = now() - steady();
  return () => Math.min(now(), Math.floor(offset + steady()));
}
