import type { FastifyRateLimitOptions, FastifyRateLimitStore } from "@fastify/rate-limit";

/** Options of a counter. */
export interface RateCounterOptions {
  /** Maximum number of callers. Default: 5000. */
  readonly cache?: number | undefined;
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly steadyNow?: () => number;
}

/**
 * Counts requests per caller in time windows. The library's own counter uses the system clock: if that
 * is set back by hours, a limited caller would stay limited for hours.
 */
export class RateCounter implements FastifyRateLimitStore {
  readonly #windows: Map<string, { count: number; readonly since: number }> = new Map();
  readonly #maxCallers: number;
  readonly #now: () => number;

  constructor(options: RateCounterOptions | FastifyRateLimitOptions = {}) {
    const { cache = 5_000, steadyNow = () => performance.now() } = options as RateCounterOptions;
    this.#maxCallers = cache;
    this.#now = steadyNow;
  }

  incr(
    key: string,
    callback: (error: null, result: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    callback(null, this.count(key, timeWindow));
  }

  /** Counts a request. Returns the number of requests in this window, and the milliseconds left of it. */
  count(key: string, timeWindow: number): { current: number; ttl: number } {
    const now = this.#now();
    let window = this.#windows.get(key);
    if (window === undefined || window.since + timeWindow <= now) {
      window = { count: 0, since: now };
      // The oldest window comes first.
      this.#windows.delete(key);
      const [oldest] = this.#windows.size >= this.#maxCallers ? this.#windows.keys() : [];
      if (oldest !== undefined) this.#windows.delete(oldest);
      this.#windows.set(key, window);
    }
    window.count += 1;
    // The sum of fractions may be a little more than the window.
    const ttl = Math.min(timeWindow, Math.ceil(window.since + timeWindow - now));
    return { current: window.count, ttl };
  }

  child(options: object): RateCounter {
    return new RateCounter({ ...(options as RateCounterOptions), steadyNow: this.#now });
  }
}
