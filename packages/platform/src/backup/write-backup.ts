import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync } from "node:fs";
import { chmod, copyFile, link, mkdir, mkdtemp, open, rename, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { anchorsFile } from "../operations/audit-anchors.ts";
import { explainOpenFailure } from "../store/explain-open-failure.ts";
import { BackupError } from "./backup-error.ts";
import {
  type BackupFile,
  type BackupManifest,
  type BackupRepository,
  bundleName,
  credentialsFile,
  keyFile,
  manifestName,
  repositoriesFolder,
  settingsFile,
  storeFile,
} from "./backup-manifest.ts";
import { bundleRepository } from "./bundle-repository.ts";

/** Options of a backup. */
export interface BackupOptions {
  /** The data directory; a server may be running on it. */
  readonly directory: string;
  /** The archive to write. Only its owner can read it. */
  readonly file: string;
  /** Leaves out the master key. Without it the secrets in the backup can't be read. */
  readonly withoutKey?: boolean;
  /** Replaces an existing file. */
  readonly force?: boolean;
}

/** The content of a backup. */
export interface BackupSummary {
  readonly file: string;
  readonly bytes: number;
  readonly repositories: number;
  readonly hasKey: boolean;
}

const maxPages = 2 ** 31 - 1;

/** Writes the whole data directory of an embedded platform into one archive. The platform may be running. */
export async function writeBackup(options: BackupOptions): Promise<BackupSummary> {
  const directory = resolve(options.directory);
  const file = resolve(options.file);
  requirePaths(directory, file, options.force === true);
  const staging = await mkdtemp(join(dirname(file), `.${basename(file)}-`));
  try {
    // The rows first, so that every commit they name is in the repositories.
    await copyStore(join(directory, storeFile), join(staging, storeFile)).catch(
      (error: unknown) => {
        const path = join(directory, storeFile);
        const told = explainOpenFailure(error, { kind: "sqlite", path });
        throw told === error ? error : new BackupError((told as Error).message);
      },
    );
    const repositories = await bundleAll(directory, staging);
    const kept = [credentialsFile, settingsFile, keyFile, anchorsFile]
      .filter((name) => existsSync(join(directory, name)))
      .filter((name) => name !== keyFile || options.withoutKey !== true);
    for (const name of kept) await copyFile(join(directory, name), join(staging, name));
    const bundles = repositories.filter(({ isEmpty }) => !isEmpty);
    const names = [storeFile, ...kept, ...bundles.map((one) => bundleName(one.organization))];
    const files: BackupFile[] = [];
    for (const name of names) files.push(await describe(staging, name));
    const archive = join(staging, "archive");
    await writeArchive(archive, { staging, files, repositories });
    if (options.force === true) await rename(archive, file);
    else await link(archive, file);
    const { size } = await stat(file);
    const hasKey = kept.includes(keyFile);
    return { file, bytes: size, repositories: repositories.length, hasKey };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function requirePaths(directory: string, file: string, force: boolean): void {
  if (!existsSync(join(directory, storeFile))) {
    throw new BackupError(
      `${directory} is not a data directory of a platform: it has no ${storeFile}.`,
    );
  }
  if (!existsSync(dirname(file))) {
    throw new BackupError(`There is no directory ${dirname(file)} to write the backup to.`);
  }
  if (!force && existsSync(file)) {
    throw new BackupError(`${file} already exists. Name another file, or replace it with --force.`);
  }
}

async function copyStore(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { timeout: 10_000 });
  try {
    // All pages in one step: a copy in several steps starts again after every write.
    await backup(source, to, { rate: maxPages });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    const found = Object.values(copy.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
    if (found !== "ok") throw new BackupError(`The database is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
  await chmod(to, 0o600);
}

async function bundleAll(directory: string, staging: string): Promise<readonly BackupRepository[]> {
  const folder = join(directory, repositoriesFolder);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  await mkdir(join(staging, repositoriesFolder));
  const repositories: BackupRepository[] = [];
  for (const name of names) {
    if (!name.endsWith(".git")) continue;
    const organization = basename(name, ".git");
    const bundle = join(staging, bundleName(organization));
    repositories.push({ organization, ...(await bundleRepository(join(folder, name), bundle)) });
  }
  return repositories;
}

async function describe(staging: string, path: string): Promise<BackupFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(join(staging, path))) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

async function writeArchive(
  archive: string,
  content: Pick<BackupManifest, "files" | "repositories"> & { readonly staging: string },
): Promise<void> {
  const { staging, files, repositories } = content;
  const manifest: BackupManifest = {
    format: "haft-backup",
    version: 1,
    created_at: new Date().toISOString(),
    files,
    repositories,
  };
  const tar = pack();
  const written = pipeline(tar, createWriteStream(archive, { flags: "wx", mode: 0o600 }));
  const filled = fill(tar, staging, manifest);
  await Promise.all([written, filled]);
  const handle = await open(archive, "r+");
  await handle.sync();
  await handle.close();
}

async function fill(tar: Pack, staging: string, manifest: BackupManifest): Promise<void> {
  try {
    tar.entry({ name: manifestName, mode: 0o600 }, JSON.stringify(manifest));
    for (const { path, bytes } of manifest.files) {
      const entry = tar.entry({ name: path, size: bytes, mode: 0o600 });
      await pipeline(createReadStream(join(staging, path)), entry);
    }
    tar.finalize();
  } catch (error) {
    tar.destroy(error as Error);
    throw error;
  }
}
