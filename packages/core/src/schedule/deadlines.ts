import type { Clock, Timer } from "../clock.ts";
import { removeFrom } from "./remove-from.ts";

/** Whatever has a time limit. */
export interface Limited {
  /** When its time is up, on the monotonic clock. */
  expiresAt: number;
  expire(): void;
}

/**
 * All time limits of one clock on a single timer: starting and stopping one costs a list entry, not
 * a timer, which matters when a call takes microseconds. A limit is extended by moving its
 * `expiresAt`.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #running: Limited[] = [];
  #timer: Timer | undefined;
  #firesAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(limited: Limited): void {
    if (this.#running.length === 0) this.#timer?.hold(true);
    this.#running.push(limited);
    if (limited.expiresAt < this.#firesAt) this.#arm(limited.expiresAt);
  }

  stop(limited: Limited): void {
    const removed = removeFrom(this.#running, limited);
    if (removed && this.#running.length === 0) this.#timer?.hold(false);
  }

  #arm(at: number): void {
    this.#timer?.cancel();
    this.#firesAt = at;
    const wait = Math.max(0, at - this.#clock.monotonic());
    this.#timer = this.#clock.after(wait, () => this.#fire());
  }

  #fire(): void {
    this.#timer = undefined;
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const limited of [...this.#running]) {
      if (limited.expiresAt <= now) {
        // One that expires may stop another.
        if (removeFrom(this.#running, limited)) limited.expire();
      } else if (limited.expiresAt < next) {
        next = limited.expiresAt;
      }
    }
    if (next < this.#firesAt) this.#arm(next);
  }
}

const byClock = new WeakMap<Clock, Deadlines>();

/** The one set of deadlines that all sessions on a clock share. */
export function deadlinesOf(clock: Clock): Deadlines {
  let deadlines = byClock.get(clock);
  if (deadlines === undefined) {
    deadlines = new Deadlines(clock);
    byClock.set(clock, deadlines);
  }
  return deadlines;
}
