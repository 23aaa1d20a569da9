/** Looks for work in the store, one look at a time. */
export interface Poller {
  /** Looks now, or again after the current look. The first poke starts it. */
  poke(): void;
  /** The current look. */
  looking(): Promise<void> | undefined;
  /** Looks no more. */
  stop(): void;
}

/** What a poller does. */
export interface PollerParts {
  /** Looks for work. Returns after how many milliseconds some is due. */
  look(): Promise<number>;
  /** Takes over what processes that died have left. Called before the first look, then now and then. */
  recover?(): Promise<void>;
  onError(error: unknown): void;
}

// How often every process looks for work that others left or that is due.
const maxPauseMs = 1_000;
const recoverMs = 5_000;

/** Creates a poller. */
export function createPoller({ look, recover, onError }: PollerParts): Poller {
  let isStopped = false;
  let isPoked = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let recoveredAt = Number.NEGATIVE_INFINITY;

  const poke = (): void => {
    if (isStopped) return;
    isPoked = true;
    looking ??= tick().finally(() => {
      looking = undefined;
      if (isPoked) poke();
    });
  };
  const tick = async (): Promise<void> => {
    clearTimeout(timer);
    let pauseMs = maxPauseMs;
    while (isPoked && !isStopped) {
      isPoked = false;
      try {
        if (recover !== undefined && performance.now() - recoveredAt > recoverMs) {
          recoveredAt = performance.now();
          await recover();
        }
        pauseMs = Math.min(maxPauseMs, Math.max(1, await look()));
      } catch (error) {
        onError(error);
      }
    }
    if (!isStopped) timer = setTimeout(poke, pauseMs).unref();
  };
  return {
    poke,
    looking: () => looking,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
