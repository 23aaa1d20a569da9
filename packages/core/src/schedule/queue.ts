import { type Footprint, findConflict, onlyReads } from "./conflicts.ts";
import { removeFrom } from "./remove-from.ts";

/** Whatever stands in a queue: its place is taken before anything about it is known. */
export interface Queued {
  /** Set by the queue: the later it came, the higher. */
  place: number;
  /** `undefined` until the arguments are known; those behind wait to learn it. */
  footprint: Footprint | undefined;
  waiters: (() => void)[] | undefined;
  /** The item that this one is part of. It takes its place behind that, and does not wait for it. */
  readonly within?: Queued | undefined;
  /** Set by the queue: nothing is in the way any more. */
  hasTurn?: boolean;
  /** Set by the queue: it has parts, which say themselves what they touch. */
  hasParts?: boolean;
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
    const { within } = item;
    // A part of an item that has left waits like any other.
    if (within !== undefined && this.#items.includes(within as Item)) {
      this.#enterWithin(item, within);
      return;
    }
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
    if (this.#obstacle(item) !== undefined) return this.#wait(item);
    item.hasTurn = true;
    return undefined;
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

  // What came after the outer item waits for it, so its parts must not wait for that.
  #enterWithin(item: Item, outer: Queued): void {
    if (!outer.hasParts) {
      outer.hasParts = true;
      wake(outer);
    }
    const end = Math.floor(outer.place) + 1;
    const at = this.#items.findLastIndex(({ place }) => place < end) + 1;
    item.place = (this.#items[at - 1]?.place ?? outer.place) + placeStep;
    this.#items.splice(at, 0, item);
    const other = this.#others.findLastIndex(({ place }) => place < end) + 1;
    this.#others.splice(other, 0, item);
  }

  async #wait(item: Item): Promise<void> {
    for (let ahead = this.#obstacle(item); ahead !== undefined; ahead = this.#obstacle(item)) {
      await nextChange(ahead);
    }
    item.hasTurn = true;
  }

  #obstacle(item: Item): Item | undefined {
    const own = item.footprint as Footprint;
    if (own.passive) return undefined;
    for (const other of onlyReads(own) ? this.#others : this.#items) {
      if (other.place >= item.place) {
        // Only a part of an earlier item can find that a later one runs already.
        if (item.within === undefined) return undefined;
        if (other === item || !other.hasTurn || other.hasParts) continue;
      } else if (isPartOf(item, other)) continue;
      if (other.footprint === undefined) return other;
      if (findConflict(other.footprint, own, this.#identify) !== undefined) return other;
    }
    return undefined;
  }
}

// Exact for a million parts of an item.
const placeStep = 2 ** -20;

function isPartOf({ within }: Queued, other: Queued): boolean {
  return within !== undefined && (within === other || isPartOf(within, other));
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
