import { type Footprint, findConflict, onlyReads } from "./conflicts.ts";
import { removeFrom } from "./remove-from.ts";

/** Whatever stands in a queue: its place is taken before anything about it is known. */
export interface Queued {
  /** Set by the queue: the later it came, the higher. */
  place: number;
  /** `undefined` until the arguments are known; those behind wait to learn it. */
  footprint: Footprint | undefined;
  waiters: (() => void)[] | undefined;
}

/**
 * The calls of one session in the order they came. A call waits only for earlier ones that it
 * conflicts with; whether they came as one batch or one by one makes no difference.
 */
export class CallQueue<Item extends Queued = Queued> {
  readonly #items: Item[] = [];
  readonly #identify: (path: string) => string;
  /** Those not known to change nothing: a call that only reads need not look at any other. */
  readonly #others: Item[] = [];
  #entered = 0;

  constructor(identify: (path: string) => string) {
    this.#identify = identify;
  }

  enter(item: Item): void {
    item.place = ++this.#entered;
    this.#items.push(item);
    this.#others.push(item);
  }

  /** Makes known what the call touches, so that those behind it can decide. */
  declare(item: Item, footprint: Footprint): void {
    item.footprint = footprint;
    if (onlyReads(footprint)) removeFrom(this.#others, item);
    wake(item);
  }

  /** Resolves when no earlier call is in the way; `undefined` if none is now. */
  turnOf(item: Item): Promise<void> | undefined {
    return this.#obstacle(item) === undefined ? undefined : this.#wait(item);
  }

  leave(item: Item): void {
    removeFrom(this.#items, item);
    removeFrom(this.#others, item);
    wake(item);
  }

  /** Everything under way. */
  items(): Iterable<Item> {
    return this.#items;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    for (let [first] = this.#items; first !== undefined; [first] = this.#items) {
      await nextChange(first);
    }
  }

  async #wait(item: Item): Promise<void> {
    for (let ahead = this.#obstacle(item); ahead !== undefined; ahead = this.#obstacle(item)) {
      await nextChange(ahead);
    }
  }

  #obstacle(item: Item): Item | undefined {
    const own = item.footprint as Footprint;
    for (const earlier of onlyReads(own) ? this.#others : this.#items) {
      if (earlier.place >= item.place) return undefined;
      if (earlier.footprint === undefined) return earlier;
      if (findConflict(earlier.footprint, own, this.#identify) !== undefined) return earlier;
    }
    return undefined;
  }
}

function nextChange(item: Queued): Promise<void> {
  return new Promise((resolve) => {
    item.waiters ??= [];
    item.waiters.push(resolve);
  });
}

function wake(item: Queued): void {
  const { waiters } = item;
  if (waiters === undefined) return;
  item.waiters = undefined;
  for (const resume of waiters) resume();
}
