const running = new Set<() => void>();

/** Tracks the timers that a tool sets from now on. */
export function trackTimers(): void {
  const { clearImmediate, clearTimeout, setImmediate, setInterval, setTimeout } = globalThis;
  const track = <Timer>(
    set: (...args: never[]) => Timer,
    clear: (timer: Timer) => void,
  ): unknown => {
    const tracked = (...args: never[]): Timer => {
      const timer = set(...args);
      running.add(() => clear(timer));
      return timer;
    };
    // Keeps properties such as `util.promisify.custom`.
    return Object.defineProperties(tracked, Object.getOwnPropertyDescriptors(set));
  };
  Object.assign(globalThis, {
    setImmediate: track(setImmediate, clearImmediate),
    setInterval: track(setInterval, clearTimeout),
    setTimeout: track(setTimeout, clearTimeout),
  });
}

/** Stops tracking the timers set so far: those of the tool's modules may go on. */
export function keepTimers(): void {
  running.clear();
}

/** Clears the timers of an invocation, so that none fires during the next. */
export function clearTimers(): void {
  if (running.size === 0) return;
  for (const clear of running) clear();
  running.clear();
}
