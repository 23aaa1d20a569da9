import type { Clock } from "../clock.ts";

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Lets time pass and runs what falls due, in order. */
  advance(milliseconds: number): void;
  /** The timers that wait, and of those the ones that keep a process alive. */
  pending(): number;
  held(): number;
}

interface ManualTimer {
  readonly at: number;
  readonly run: () => void;
  held: boolean;
}

/** Makes a clock that a test moves by hand. */
export function createManualClock(): ManualClock {
  const timers = new Set<ManualTimer>();
  let now = 0;
  const nextBefore = (end: number): ManualTimer | undefined =>
    [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => 1_700_000_000_000 + now,
    monotonic: () => now,
    after: (milliseconds, run) => {
      const timer: ManualTimer = { at: now + milliseconds, run, held: true };
      timers.add(timer);
      return {
        cancel: () => timers.delete(timer),
        hold: (held) => {
          timer.held = held;
        },
      };
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (let timer = nextBefore(end); timer !== undefined; timer = nextBefore(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
      }
      now = end;
    },
    pending: () => timers.size,
    held: () => [...timers].filter((timer) => timer.held).length,
  };
}
