/** How to write several things at once. */
export interface GroupWriter<Item> {
  /** Writes all of them or none. */
  write(items: readonly Item[]): Promise<void>;
  /** Whether one of them may be the reason, and the others can be written without it. */
  isFaultOfOne(error: unknown): boolean;
  /** Maximum number of items per write. */
  readonly maxItems: number;
  /** Whether so many are worth a write. If not, it waits a moment for more. Default: they are. */
  isEnough?(items: number): boolean;
}

// Less than a write takes on most disks.
const maxWaitMs = 1;

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

/**
 * Writes what comes in the same turn of the event loop, while a write is under way, or while it waits for
 * more, with the next one. There is one write at a time.
 */
export function createGroups<Item>(writer: GroupWriter<Item>): Groups<Item> {
  let waiting: Waiting<Item>[] = [];
  let isBusy = false;
  let timer: NodeJS.Timeout | undefined;
  const drained: (() => void)[] = [];

  const isEnough = (): boolean => writer.isEnough?.(waiting.length) ?? true;
  const start = (): void => {
    if (isBusy) return;
    isBusy = true;
    // Not at once: everything else that has just arrived shall share the write.
    setImmediate(() => {
      if (isEnough()) void write();
      else timer = setTimeout(write, maxWaitMs);
    });
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const group = waiting.length > writer.maxItems ? waiting.splice(0, writer.maxItems) : waiting;
    if (group === waiting) waiting = [];
    await writeGroup(writer, group);
    isBusy = false;
    if (waiting.length > 0) return start();
    for (const tell of drained.splice(0)) tell();
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (timer !== undefined && isEnough()) void write();
        else start();
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
