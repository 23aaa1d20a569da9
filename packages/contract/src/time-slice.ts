// Small files are read with synchronous calls because they cost a fraction of asynchronous ones. So
// that many of them in a row do not block everything else, synchronous work shares one slice of time
// in each iteration of the event loop.
const sliceMs = 2;

/** Limits how long synchronous work runs in each iteration of the event loop. */
export interface TimeSlice {
  /** Returns at once while the current time slice lasts, otherwise waits for a later one. */
  enter(): Promise<void> | undefined;
  /** Tells whether the synchronous work of this iteration of the event loop has used up its time. */
  isSpent(): boolean;
}

/** Creates a time slice that is measured with the given clock, in milliseconds. */
export function createTimeSlice(now: () => number): TimeSlice {
  let isTimed = false;
  let startedAt = 0;

  const isSpent = (): boolean => {
    const at = now();
    if (isTimed) return at - startedAt > sliceMs;
    isTimed = true;
    startedAt = at;
    runInNextIteration(() => {
      isTimed = false;
    });
    return false;
  };

  const wait = async (): Promise<void> => {
    do {
      await new Promise<void>(runInNextIteration);
      // Other work that waited may have used up this slice already.
    } while (isSpent());
  };

  return { isSpent, enter: () => (isSpent() ? wait() : undefined) };
}

// A timer waits at least a millisecond. Node's setImmediate is quicker; browsers don't have it.
const runInNextIteration: (run: () => void) => void =
  (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate ??
  ((run) => setTimeout(run, 0));

// All work on files shares this one.
const shared = createTimeSlice(() => performance.now());

/** Returns at once while the shared time slice lasts, otherwise waits for a later one. */
export const enterTimeSlice: TimeSlice["enter"] = shared.enter;

/** Tells whether the shared time slice of this iteration of the event loop is used up. */
export const isTimeSliceSpent: TimeSlice["isSpent"] = shared.isSpent;
