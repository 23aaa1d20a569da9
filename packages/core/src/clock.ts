/** A pending timer. */
export interface Timer {
  cancel(): void;
  /** Sets whether the timer keeps the process alive. No effect in browsers. */
  hold(held: boolean): void;
}

/** The source of time. A host may supply its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go backwards. */
  monotonic(): number;
  after(milliseconds: number, run: () => void): Timer;
}

// A browser's timer is a number; Node's is an object that can let the process exit.
interface HoldableTimer {
  ref?(): void;
  unref?(): void;
}

// Longer delays overflow the timer and would fire at once.
const maxDelay = 2 ** 31 - 1;

/** The clock of this process. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, Math.min(milliseconds, maxDelay));
    const holdable = timer as unknown as HoldableTimer;
    return {
      cancel: () => clearTimeout(timer),
      hold: (held) => (held ? holdable.ref?.() : holdable.unref?.()),
    };
  },
};
