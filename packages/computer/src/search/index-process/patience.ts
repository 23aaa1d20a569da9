/** How long answers are waited for. */
export interface Patience {
  /** Somebody waits longer than they should. */
  readonly isTried: boolean;
  /** Begins to wait; whoever waits is let go if it takes too long. */
  begin(id: number, letGo: () => void): void;
  /** The answer came. */
  end(id: number): void;
}

// A process that says nothing for so much longer is stuck.
const lastFactor = 10;

/** Waits for answers a given time, and for a sign of life a multiple of it. */
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
