/** Repeats work now and then, once at a time. */
export interface Poller {
  /** Does the work now, or again if it is being done. */
  poke(): void;
  /** Begins no more. */
  pause(): void;
  /** Begins no more, and waits for what is being done. */
  stop(): Promise<void>;
}

/** Creates a poller. `work` returns after how many milliseconds to do it again; 1000 if it throws. */
export function createPoller(
  work: () => Promise<number>,
  onError: (error: unknown) => void,
): Poller {
  let isStopped = false;
  let isPoked = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const poke = (): void => {
    if (isStopped) return;
    isPoked = true;
    working ??= turn().finally(() => {
      working = undefined;
      if (isPoked) poke();
    });
  };
  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    let pauseMs = pollMs;
    while (isPoked && !isStopped) {
      isPoked = false;
      pauseMs = await work().catch((error: unknown) => {
        onError(error);
        return pollMs;
      });
    }
    if (!isStopped) timer = setTimeout(poke, pauseMs).unref();
  };
  const pause = (): void => {
    isStopped = true;
    clearTimeout(timer);
  };
  return {
    poke,
    pause,
    stop: async () => {
      pause();
      await working;
    },
  };
}

/** How often every process looks for work that others left or that is due, in milliseconds. */
export const pollMs = 1_000;
