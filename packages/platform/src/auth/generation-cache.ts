import type { Store } from "../store/store.ts";

/** Caches values read from the store until anything in it changes. */
export interface GenerationCache<Value> {
  /** Returns a cached value that is still current. */
  find(key: string): Value | undefined;
  /** Reads a value, and caches it if nothing has changed in the meantime. */
  load(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined>;
}

/** Creates a cache of at most `maxValues`. It stays empty if the store has no generation. */
export function createGenerationCache<Value>(
  store: Pick<Store, "generation">,
  maxValues: number,
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
        if (values.size >= maxValues) values.delete(values.keys().next().value ?? key);
        values.set(key, value);
      }
      return value;
    },
  };
}
