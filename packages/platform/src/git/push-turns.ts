import { Problem } from "../problem.ts";

/** Limits the number of concurrent pushes: each may take much memory before it is checked. */
export interface PushTurns {
  /**
   * Waits for a turn and returns the function that ends it. Organizations without a turn go before
   * others. Throws a `Problem` 503 if too many wait or it takes too long.
   */
  take(organization: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly organization: string;
  start(): void;
}

/** Limits on concurrent and waiting pushes. */
export interface PushTurnLimits {
  readonly maxAtOnce: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

export const defaultPushTurns: PushTurnLimits = {
  maxAtOnce: 2,
  maxWaiting: 64,
  maxWaitMs: 120_000,
};

/** Creates the push queue of this process. */
export function createPushTurns({ maxAtOnce, maxWaiting, maxWaitMs }: PushTurnLimits): PushTurns {
  const running: string[] = [];
  const waiting: Waiting[] = [];
  const startNext = (): void => {
    if (running.length >= maxAtOnce) return;
    const isNew = ({ organization }: Waiting): boolean => !running.includes(organization);
    const next = waiting.find(isNew) ?? waiting[0];
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    running.push(next.organization);
    next.start();
  };
  const end = (organization: string): void => {
    running.splice(running.indexOf(organization), 1);
    startNext();
  };
  return {
    take: async (organization, signal) => {
      signal.throwIfAborted();
      if (waiting.length >= maxWaiting) throw tooMany();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry: Waiting = { organization, start: resolve };
      waiting.push(entry);
      startNext();
      const leave = (reason: unknown): void => {
        const at = waiting.indexOf(entry);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(reason);
      };
      const timer = setTimeout(() => leave(tooMany()), maxWaitMs);
      const abort = (): void => leave(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await promise;
        return () => end(organization);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      }
    },
  };
}

function tooMany(): Problem {
  return new Problem(503, "Too many pushes are under way. Try again shortly.", {
    "retry-after": "10",
  });
}
