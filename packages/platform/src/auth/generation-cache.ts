import type { Store } from "../store/store.ts";

/** Remembers what was read from the store until anything in it changes. */
export interface GenerationCache<Value> {
  /** What is known and still holds. */
  find(key: string): Value | undefined;
  /** Reads it, and remembers it if nothing has changed meanwhile. */
  load(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined>;
}

/** Makes a cache of so many values at most. Where a store can't tell of changes it stays empty. */
export function createGenerationCache<Value>(
  store: Pick<Store, "generation">,
  most: number,
): GenerationCache<Value> {
  const values = new Map<string, Value>();
  let generation: string | undefined;
  const renew = (): string | undefined => {
    const now = store.generation();
    if (now !== generation || now === undefined) values.clear();
    generation = now;
    return now;
  };
  return {
    find: (key) => (renew() === undefined ? undefined : values.get(key)),
    load: async (key, read) => {
      const before = renew();
      const value = await read();
      if (value !== undefined && before !== undefined && renew() === before) {
        if (values.size >= most) values.delete(values.keys().next().value ?? key);
        values.set(key, value);
      }
      return value;
    },
  };
}
