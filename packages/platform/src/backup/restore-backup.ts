import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { lockFile, requireUnlocked } from "../serve/data-lock.ts";
import { openStore } from "../store/open-store.ts";
import { BackupError } from "./backup-error.ts";
import {
  type BackupManifest,
  bundleName,
  keyFile,
  repositoriesFolder,
  storeFile,
} from "./backup-manifest.ts";
import { unbundleRepository } from "./bundle-repository.ts";
import { extractBackup } from "./extract-backup.ts";

/** Options of a restore. */
export interface RestoreOptions {
  readonly file: string;
  /** The new data directory. It must be empty or not exist. */
  readonly directory: string;
  /** Moves the directory's content aside instead of refusing. */
  readonly force?: boolean;
}

/** The outcome of a restore. */
export interface RestoreSummary {
  readonly directory: string;
  readonly createdAt: string;
  readonly repositories: number;
  readonly hasKey: boolean;
  /** Where the directory's previous content is now. */
  readonly replaced: string | undefined;
}

/** Restores a data directory from a backup. If that fails, the directory stays as it was. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const directory = resolve(options.directory);
  requireTarget(directory, options.force === true);
  const isNew = !existsSync(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Inside the directory, which may be its own volume.
  const staging = await mkdtemp(join(directory, ".restoring-"));
  try {
    const manifest = await extractBackup(resolve(options.file), staging);
    await unpackRepositories(manifest, staging);
    await checkStore(join(staging, storeFile));
    const replaced = await putAside(directory, staging);
    await moveIn(staging, directory);
    await chmod(directory, 0o700);
    return {
      directory,
      createdAt: manifest.created_at,
      repositories: manifest.repositories.length,
      hasKey: manifest.files.some(({ path }) => path === keyFile),
      replaced,
    };
  } finally {
    rmSync(staging, { recursive: true, force: true });
    if (isNew && readdirSync(directory).length === 0) rmSync(directory, { recursive: true });
  }
}

function requireTarget(directory: string, force: boolean): void {
  if (!existsSync(directory)) return;
  if (existsSync(join(directory, lockFile))) requireNoServer(directory);
  if (isStoreInUse(join(directory, storeFile))) {
    throw new BackupError(`A platform is running on ${directory}. Stop it first.`);
  }
  if (!force && readdirSync(directory).length > 0) {
    throw new BackupError(
      `${directory} is not empty. Name another directory, or move its content aside with --force.`,
    );
  }
}

const busy = 5;

/** Returns whether a process, such as a server, has a database open. */
export function isStoreInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Every process that has the file open holds a shared lock on it.
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

function requireNoServer(directory: string): void {
  try {
    requireUnlocked(directory);
  } catch (error) {
    throw new BackupError((error as Error).message);
  }
}

async function unpackRepositories(manifest: BackupManifest, staging: string): Promise<void> {
  await mkdir(join(staging, repositoriesFolder), { recursive: true, mode: 0o700 });
  for (const { organization, head, isEmpty } of manifest.repositories) {
    const bundle = join(staging, bundleName(organization));
    if (!isEmpty && !existsSync(bundle)) {
      throw new BackupError(`The backup is incomplete: ${bundleName(organization)} is missing.`);
    }
    const repository = join(staging, repositoriesFolder, `${organization}.git`);
    await unbundleRepository(repository, isEmpty ? undefined : bundle, head);
    rmSync(bundle, { force: true });
  }
}

// Opening also migrates old tables, and refuses those of a newer Haft.
async function checkStore(path: string): Promise<void> {
  try {
    const store = await openStore({ kind: "sqlite", path });
    await store.close();
  } catch (error) {
    throw new BackupError(
      `The backup's database can't be used by this Haft: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function putAside(directory: string, staging: string): Promise<string | undefined> {
  const names = readdirSync(directory).filter((name) => join(directory, name) !== staging);
  if (names.length === 0) return undefined;
  const aside = await mkdtemp(join(directory, "replaced-"));
  for (const name of names) await rename(join(directory, name), join(aside, name));
  return aside;
}

// The database comes last: if it is there, everything is.
async function moveIn(staging: string, directory: string): Promise<void> {
  const names = readdirSync(staging).filter((name) => name !== storeFile);
  for (const name of [...names, storeFile]) {
    await rename(join(staging, name), join(directory, name));
  }
}
