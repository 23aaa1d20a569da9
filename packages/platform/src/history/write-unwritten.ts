import type { PlatformParts } from "../platform-parts.ts";
import { isDataError } from "../store/store-failure.ts";
import { isAlive } from "./heartbeat.ts";
import type { NewInvocation } from "./history.ts";
import { createInvocationInsert, lockHistory } from "./invocation-table.ts";
import { openSearchIndex } from "./open-search-index.ts";
import { listUnwrittenFiles, readUnwrittenFile, removeUnwrittenFile } from "./unwritten-file.ts";
import { findMissing } from "./write-records.ts";

/**
 * Writes the rows that processes which are gone could not write, and removes their files. However
 * many processes do this at once, each row is written once. Returns the ids of rows that the store
 * refuses; their file is kept.
 */
export async function writeUnwritten(
  parts: Pick<PlatformParts, "store" | "processId" | "now">,
  directory: string,
): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const owner of listUnwrittenFiles(directory)) {
    if (await isAlive(parts, owner)) continue;
    const wrong: string[] = [];
    for (const row of readUnwrittenFile(directory, owner)) {
      await write(parts, row).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        wrong.push(row.id);
      });
    }
    if (wrong.length === 0) removeUnwrittenFile(directory, owner);
    refused.push(...wrong);
  }
  return refused;
}

async function write({ store }: Pick<PlatformParts, "store">, row: NewInvocation): Promise<void> {
  const index = openSearchIndex(store.kind);
  const insert = createInvocationInsert(store);
  await store.db.transaction().execute(async (db) => {
    await lockHistory(db, store);
    await insert(db, await findMissing(db, { store, index }, [row]));
  });
}
