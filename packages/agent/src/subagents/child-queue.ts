/** A slot in a queue. */
export interface QueueSlot {
  /** Resolves when its turn comes. Rejects with the signal's reason if it is aborted first. */
  enter(signal: AbortSignal): Promise<void>;
  /** Frees the slot, whether it is running or waiting, and admits the next one. */
  leave(): void;
}

/** Admits a limited number of subagents at once. The others wait in order. */
export interface ChildQueue {
  /** Returns a slot, or `undefined` if the queue is full. */
  join(): QueueSlot | undefined;
  readonly isEmpty: boolean;
}

/** Creates an empty queue. */
export function createChildQueue({ maxRunning, maxTotal }: QueueLimits): ChildQueue {
  const waiting = new Set<() => void>();
  let joined = 0;
  let inside = 0;
  const admitNext = (): void => {
    const [next] = waiting;
    if (next !== undefined && inside < maxRunning) next();
  };
  const join = (): QueueSlot => {
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
    join: () => (joined < maxTotal ? join() : undefined),
    get isEmpty() {
      return joined === 0;
    },
  };
}

interface QueueLimits {
  /** Maximum number that run at once. */
  readonly maxRunning: number;
  /** Maximum number that run or wait. */
  readonly maxTotal: number;
}
