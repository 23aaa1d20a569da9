import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";

// Each slice blocks the thread for a few milliseconds.
const slicePages = 256;
const pauseMs = 5;
// Free pages up to this part of the file stay for new rows.
const maxFreePart = 0.05;
const minFreePages = 256;
const shortWaitMs = 100;
const usualWaitMs = 10_000;

/** Returns the free pages of a database file to the file system while it is used. */
export interface FileShrinker {
  /**
   * Converts a file of an earlier version, so that it can shrink. That writes the whole file again and
   * blocks it meanwhile. Leaves the file as it is if it is in use or the disk has too little room.
   */
  convert(): void;
  /** Shrinks the file, in slices between which others can use it. */
  shrink(): Promise<void>;
}

/** Creates the shrinker of an open database. */
export function createFileShrinker(database: DatabaseSync, path: string): FileShrinker {
  const read = (pragma: string): number =>
    Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const canShrink = (): boolean => read("auto_vacuum") !== 0;
  const countSurplus = (): number =>
    read("freelist_count") - Math.max(minFreePages, read("page_count") * maxFreePart);

  return {
    convert: () => {
      if (canShrink() || !hasRoomFor(path)) return;
      database.exec(`PRAGMA busy_timeout = ${shortWaitMs}`);
      try {
        database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
      } catch {
        // It is tried again at the next start.
      } finally {
        database.exec(`PRAGMA busy_timeout = ${usualWaitMs}`);
      }
    },
    shrink: async () => {
      if (!canShrink() || countSurplus() <= 0) return;
      for (let surplus = countSurplus(); surplus > 0; surplus = countSurplus()) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        // Not as part of a transaction of others.
        if (database.isTransaction) continue;
        database.exec(`PRAGMA incremental_vacuum(${Math.min(slicePages, Math.ceil(surplus))})`);
      }
      // The file itself shrinks when the log is written into it.
      if (!database.isTransaction) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  };
}

function hasRoomFor(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  // A copy, and a log of the same size.
  return bavail * bsize > 2.5 * statSync(path).size;
}
