import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const busy = 5;

/** Whether a process has a database open, a server for instance. */
export function isStoreInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Who has the file open holds a lock on it that nobody else can take alone.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    database.exec("ROLLBACK");
    return false;
  } catch (error) {
    return ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === busy;
  } finally {
    database.close();
  }
}
