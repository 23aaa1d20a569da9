/** How to write several things at once. */
export interface GroupWriter<Item> {
  /** Writes all of them or none. */
  write(items: readonly Item[]): Promise<void>;
  /** Whether one of them may be the reason, and the others can be written without it. */
  isFaultOfOne(error: unknown): boolean;
  /** So many at once, at most. */
  readonly most: number;
  /** Whether others will be there in a moment, for which it is worth to wait; no unless said. */
  isMoreComing?(waiting: number): boolean;
}

/** Things that are written together if they come together. */
export interface Groups<Item> {
  /** Resolves when it is written. */
  add(item: Item): Promise<void>;
  /** Waits for everything that was added. */
  drain(): Promise<void>;
}

interface Waiting<Item> {
  readonly item: Item;
  resolve(): void;
  reject(error: unknown): void;
}

// A write takes about as long, however much there is to write.
const momentMs = 1;

/**
 * Writes what comes in the same turn of the event loop, or while a write is under way, with the next
 * one. There is one write at a time.
 */
export function createGroups<Item>(writer: GroupWriter<Item>): Groups<Item> {
  let waiting: Waiting<Item>[] = [];
  let isBusy = false;
  const drained: (() => void)[] = [];

  const start = (): void => {
    if (isBusy) return;
    isBusy = true;
    const go = async (): Promise<void> => {
      const group = waiting.length > writer.most ? waiting.splice(0, writer.most) : waiting;
      if (group === waiting) waiting = [];
      await writeGroup(writer, group);
      isBusy = false;
      if (waiting.length > 0) return start();
      for (const tell of drained.splice(0)) tell();
    };
    // Not at once: everything else that has just arrived shall share the write.
    setImmediate(() => {
      if (writer.isMoreComing?.(waiting.length)) setTimeout(go, momentMs);
      else void go();
    });
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        start();
      }),
    drain: () =>
      new Promise((resolve) => {
        if (isBusy) drained.push(resolve);
        else resolve();
      }),
  };
}

async function writeGroup<Item>(
  writer: GroupWriter<Item>,
  group: readonly Waiting<Item>[],
): Promise<void> {
  try {
    await writer.write(group.map(({ item }) => item));
    for (const each of group) each.resolve();
  } catch (error) {
    if (group.length > 1 && writer.isFaultOfOne(error)) {
      for (const each of group) await writeGroup(writer, [each]);
    } else for (const each of group) each.reject(error);
  }
}
