import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Lets one rotation at a time work on a data directory. The lock is the operating system's, held
 * through SQLite since Node has none of its own: it goes when the process does.
 */
export function takeRotationLock(directory: string): { release(): void } {
  const lock = new DatabaseSync(join(directory, "master.lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw new Error(
      `Another rotation of the master key is under way in ${directory}. Wait for it.`,
      { cause: error },
    );
  }
  return { release: () => lock.close() };
}
