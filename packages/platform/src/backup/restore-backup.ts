import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
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
import { isStoreInUse } from "./is-store-in-use.ts";

/** What to restore, and where to. */
export interface RestoreOptions {
  readonly file: string;
  /** The data directory to be: it is empty, or not there. */
  readonly directory: string;
  /** Puts what is in the directory aside instead of refusing. */
  readonly force?: boolean;
}

/** What was restored. */
export interface RestoreSummary {
  readonly directory: string;
  readonly createdAt: string;
  readonly repositories: number;
  readonly hasKey: boolean;
  /** Where what was in the directory before is now. */
  readonly replaced: string | undefined;
}

/** Makes a data directory of a backup: all of it, or the directory stays as it was. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const directory = resolve(options.directory);
  requireTarget(directory, options.force === true);
  const isNew = !existsSync(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Inside of the directory, which may be a volume of its own.
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
  if (isStoreInUse(join(directory, storeFile))) {
    throw new BackupError(`A platform is running on ${directory}. Stop it first.`);
  }
  if (!force && readdirSync(directory).length > 0) {
    throw new BackupError(
      `${directory} is not empty. Name another directory, or put what is there aside with --force.`,
    );
  }
}

async function unpackRepositories(manifest: BackupManifest, staging: string): Promise<void> {
  await mkdir(join(staging, repositoriesFolder), { recursive: true, mode: 0o700 });
  for (const { organization, head, isEmpty } of manifest.repositories) {
    const bundle = join(staging, bundleName(organization));
    if (!isEmpty && !existsSync(bundle)) {
      throw new BackupError(`The backup is not whole: ${bundleName(organization)} is missing.`);
    }
    const repository = join(staging, repositoriesFolder, `${organization}.git`);
    await unbundleRepository(repository, isEmpty ? undefined : bundle, head);
    rmSync(bundle, { force: true });
  }
}

// Brings old tables up to date on the way, and refuses those of a newer Haft.
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

// The database comes last: where it is, everything is.
async function moveIn(staging: string, directory: string): Promise<void> {
  const names = readdirSync(staging).filter((name) => name !== storeFile);
  for (const name of [...names, storeFile]) {
    await rename(join(staging, name), join(directory, name));
  }
}
