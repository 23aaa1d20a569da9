/** Keeps the values that were used last, as many as fit. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, size: number): void;
}

/** Makes an empty cache that holds values of `maxSize` altogether. */
export function createBoundedCache<Value>(maxSize: number): BoundedCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly size: number }>();
  let total = 0;
  /** The key at the end. Most often it is asked for again. */
  let newest: string | undefined;
  const remove = (key: string): void => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (key === newest) return entry.value;
      newest = key;
      // A map keeps the order of insertion: what is used goes to the end, what is not is at the start.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, size) => {
      remove(key);
      if (size > maxSize) return;
      newest = key;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= maxSize) return;
        remove(oldest);
      }
    },
  };
}
