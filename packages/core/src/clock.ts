/** A pending timer. */
export interface Timer {
  cancel(): void;
  /** Whether the timer keeps the process alive, where that is a question at all. */
  hold(held: boolean): void;
}

/** Where time comes from. A host may bring its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  after(milliseconds: number, run: () => void): Timer;
}

// A browser's timer is a number; Node's is an object that can let the process go.
interface HoldableTimer {
  ref?(): void;
  unref?(): void;
}

// Longer delays overflow the timer and would fire at once.
const longestDelay = 2 ** 31 - 1;

/** The clock of this process. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, Math.min(milliseconds, longestDelay));
    const holdable = timer as unknown as HoldableTimer;
    return {
      cancel: () => clearTimeout(timer),
      hold: (held) => (held ? holdable.ref?.() : holdable.unref?.()),
    };
  },
};
