/** A place in a line. */
export interface Ticket {
  /** Resolves when it is its turn. Rejects with the signal's reason if that comes first. */
  enter(signal: AbortSignal): Promise<void>;
  /** Gives the place up, wherever it is, and lets the next one in. */
  leave(): void;
}

/** Lets so many in at once; the others wait in the order in which they came. */
export interface Line {
  /** A place for somebody who comes; `undefined` if the line is too long already. */
  join(): Ticket | undefined;
  readonly isEmpty: boolean;
}

/** A line in front of something that only so many can do at once. */
export function createLine({ places, longest }: LineSize): Line {
  const waiting = new Set<() => void>();
  let joined = 0;
  let inside = 0;
  const admitNext = (): void => {
    const [next] = waiting;
    if (next !== undefined && inside < places) next();
  };
  const join = (): Ticket => {
    let stage: "joined" | "inside" | "left" = "joined";
    joined++;
    return {
      enter: (signal) =>
        new Promise((resolve, reject) => {
          const giveUp = (): void => {
            waiting.delete(goIn);
            reject(signal.reason);
          };
          const goIn = (): void => {
            waiting.delete(goIn);
            signal.removeEventListener("abort", giveUp);
            stage = "inside";
            inside++;
            resolve();
          };
          if (signal.aborted) return giveUp();
          signal.addEventListener("abort", giveUp, { once: true });
          waiting.add(goIn);
          admitNext();
        }),
      leave: () => {
        if (stage === "left") return;
        if (stage === "inside") inside--;
        stage = "left";
        joined--;
        admitNext();
      },
    };
  };
  return {
    join: () => (joined < longest ? join() : undefined),
    get isEmpty() {
      return joined === 0;
    },
  };
}

interface LineSize {
  /** How many are let in at once. */
  readonly places: number;
  /** How many may be in it and wait, all together. */
  readonly longest: number;
}
