import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../new-id.ts";
import { createPrivateFile, readPrivateFile } from "../secrets/private-file.ts";
import type { Store, StoreLocation } from "./store.ts";

const setting = "store-id";
const markerName = "database.id";

/**
 * Returns the error for an empty database in a data directory that was used before, or `undefined`
 * for a new directory. Creating new tables there would hide that the database was lost.
 */
export function findEmptyRefusal(directory: string, location: StoreLocation): string | undefined {
  const trace = findTrace(directory);
  if (trace === undefined) return undefined;
  if (location.kind === "sqlite") {
    const { path } = location;
    return `${path} is missing or empty, but ${trace} shows that it held data. ${remedies(directory)}`;
  }
  return `The database is empty, but ${trace} shows that this data directory was used with another one. Correct --database, or restore that database. ${elsewhere(directory)}`;
}

/** Throws if a database file that existed is missing or empty. SQLite would create a new one. */
export function requireDatabaseFile(path: string, refusal: string | undefined): void {
  if (refusal === undefined) return;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) throw new Error(refusal);
}

/** Throws if a data directory belongs to another store. A new directory is bound to this one. */
export async function requireSameStore(store: Store, directory: string): Promise<void> {
  const path = join(directory, markerName);
  const marker = readPrivateFile(path)?.text.trim();
  const id = (await findId(store)) ?? (marker === undefined ? await makeId(store) : undefined);
  if (marker === id) return;
  if (marker === undefined && createPrivateFile(path, `${id}\n`)) return;
  if (readPrivateFile(path)?.text.trim() === id) return;
  throw new Error(
    `The database (${id ?? "without id"}) is not the one that ${directory} was used with (${marker}). Correct --data or --database, or restore a backup. If you replaced the database on purpose, remove ${path}.`,
  );
}

async function findId({ db }: Store): Promise<string | undefined> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirst();
  return row?.value;
}

async function makeId(store: Store): Promise<string | undefined> {
  await store.db
    .insertInto("settings")
    .values({ name: setting, value: newId() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return findId(store);
}

/** Finds a file that shows prior use. `settings.json` and `master.key` may exist before the first start. */
function findTrace(directory: string): string | undefined {
  const names = [markerName, "credentials.json"].map((name) => join(directory, name));
  const found = names.find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  if (found !== undefined) return found;
  const repositories = join(directory, "repositories");
  return isFilled(repositories) ? repositories : undefined;
}

function isFilled(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    return false;
  }
}

function remedies(directory: string): string {
  return `Restore a backup: haft restore FILE --data ${directory} --force. ${elsewhere(directory)}`;
}

function elsewhere(directory: string): string {
  return `To start with an empty database, name another directory with --data, or move the content of ${directory} away.`;
}
