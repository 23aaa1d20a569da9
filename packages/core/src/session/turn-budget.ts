import type { Clock } from "../clock.ts";

/** Keeps a loop from holding up the event loop. */
export interface TurnBudget {
  isSpent(): boolean;
  /** Lets everybody else have a turn, and starts anew. */
  next(): Promise<void>;
}

const budgetMs = 2;

/** Starts a turn now. */
export function createTurnBudget(clock: Clock): TurnBudget {
  let startedAt = clock.monotonic();
  return {
    isSpent: () => clock.monotonic() - startedAt > budgetMs,
    next: async () => {
      await new Promise<void>(runNextTurn);
      startedAt = clock.monotonic();
    },
  };
}

// A timer waits at least a millisecond; where there is something quicker, it is used.
const runNextTurn: (run: () => void) => void =
  (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate ??
  ((run) => setTimeout(run, 0));
