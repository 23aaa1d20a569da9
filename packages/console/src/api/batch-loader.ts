type Read<Value> = (group: string, ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>;

interface Waiting<Value> {
  readonly id: number;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

const gatherMs = 15;
const maxIds = 100;

/** Reads values one by one for its callers, and those asked for at about the same time in one request. */
export function createBatchLoader<Value>(
  read: Read<Value>,
): (group: string, id: number) => Promise<Value> {
  const groups = new Map<string, Waiting<Value>[]>();
  const send = (group: string): void => {
    const waiting = groups.get(group) ?? [];
    groups.delete(group);
    for (let from = 0; from < waiting.length; from += maxIds) {
      void answer(group, waiting.slice(from, from + maxIds));
    }
  };
  const answer = async (group: string, waiting: readonly Waiting<Value>[]): Promise<void> => {
    try {
      const found = await read(group, [...new Set(waiting.map(({ id }) => id))]);
      for (const { id, resolve, reject } of waiting) {
        const value = found.get(id);
        if (value === undefined) reject(new Error("This is no longer on the server."));
        else resolve(value);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  };
  return (group, id) =>
    new Promise((resolve, reject) => {
      const waiting = groups.get(group);
      if (waiting !== undefined) {
        waiting.push({ id, resolve, reject });
        return;
      }
      groups.set(group, [{ id, resolve, reject }]);
      setTimeout(() => send(group), gatherMs);
    });
}
