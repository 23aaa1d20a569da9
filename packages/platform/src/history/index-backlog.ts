import type { Store } from "../store/store.ts";
import { indexNext } from "./index-next.ts";
import { indexSlice } from "./index-slice.ts";
import type { SearchIndex } from "./search-index.ts";

/** What was written and is not in the index yet. */
export interface IndexBacklog {
  /** Tells that rows were written, and how long their texts are. */
  add(rows: number, characters: number): void;
  /** Waits until the index has not much to catch up with. */
  settle(): Promise<void>;
  /** Waits for what is being indexed, and indexes no more. */
  close(): Promise<void>;
}

// Long texts are indexed earlier and fewer at a time, so that it takes no longer.
const sliceCharacters = 256 * 1024;
const maxSlices = 8;

/** Keeps the index close behind the rows, without holding up who wrote them. */
export function createIndexBacklog(store: Store, index: SearchIndex): IndexBacklog {
  let rows = 0;
  let characters = 0;
  let isClosed = false;
  let work: Promise<void> | undefined;

  const isDue = (): boolean => !isClosed && (rows >= indexSlice || characters >= sliceCharacters);
  const run = async (): Promise<void> => {
    // Those who wait for the rows go first.
    await new Promise((resolve) => setImmediate(resolve));
    while (isDue()) {
      const limit = Math.floor((sliceCharacters * rows) / Math.max(characters, 1));
      const done = Math.min(rows, indexSlice, Math.max(limit, 1));
      await indexNext(store, index, done);
      characters -= (characters * done) / rows;
      rows -= done;
    }
  };
  const start = (): void => {
    work ??= run()
      // The rows are safe. Who searches tries again, and learns what is wrong.
      .catch(() => {
        rows = 0;
        characters = 0;
      })
      .finally(() => {
        work = undefined;
        if (isDue()) start();
      });
  };

  return {
    add: (newRows, newCharacters) => {
      rows += newRows;
      characters += newCharacters;
      if (isDue()) start();
    },
    settle: async () => {
      const isFar = rows >= indexSlice * maxSlices || characters >= sliceCharacters * maxSlices;
      if (isFar) await work;
    },
    close: async () => {
      isClosed = true;
      await work;
    },
  };
}
