/** Watches how long answers take. */
export interface Patience {
  /** Whether an answer is overdue. */
  readonly isTried: boolean;
  /** Starts to wait; the waiter is released if it takes too long. */
  begin(id: number, letGo: () => void): void;
  /** The answer arrived. */
  end(id: number): void;
}

// A process that is silent for so much longer is stuck.
const lastFactor = 10;

/** Waits a given time for answers, and a multiple of it for a sign of life. */
export function createPatience(patienceMs: number, onStuck: () => void): Patience {
  const timers = new Map<number, NodeJS.Timeout>();
  const late = new Set<number>();
  return {
    get isTried() {
      return late.size > 0;
    },
    begin: (id, letGo) => {
      const tire = (): void => {
        late.add(id);
        letGo();
        timers.set(id, setTimeout(onStuck, patienceMs * lastFactor).unref());
      };
      timers.set(id, setTimeout(tire, patienceMs));
    },
    end: (id) => {
      clearTimeout(timers.get(id));
      timers.delete(id);
      late.delete(id);
    },
  };
}
