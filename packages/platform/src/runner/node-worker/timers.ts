const running = new Set<() => void>();

/** Keeps track of the timers that a tool sets from now on. */
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
    // They have forms that make promises beside.
    return Object.defineProperties(tracked, Object.getOwnPropertyDescriptors(set));
  };
  Object.assign(globalThis, {
    setImmediate: track(setImmediate, clearImmediate),
    setInterval: track(setInterval, clearTimeout),
    setTimeout: track(setTimeout, clearTimeout),
  });
}

/** Forgets the timers so far: they are the tool's own for good. */
export function keepTimers(): void {
  running.clear();
}

/** Clears what an invocation has left: nothing of it goes on beside the next. */
export function clearTimers(): void {
  if (running.size === 0) return;
  for (const clear of running) clear();
  running.clear();
}
