import { BackupError } from "./backup-error.ts";

/** One file of a backup. */
export interface BackupFile {
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** One repository of a backup. */
export interface BackupRepository {
  readonly organization: string;
  /** The target of `HEAD`, such as `refs/heads/main`. */
  readonly head: string;
  /** Whether the repository has no commit. It then has no bundle either. */
  readonly isEmpty: boolean;
}

/** The first file of every backup. It lists the others. */
export interface BackupManifest {
  readonly format: "haft-backup";
  readonly version: 1;
  readonly created_at: string;
  readonly files: readonly BackupFile[];
  readonly repositories: readonly BackupRepository[];
}

/** The file name of the manifest. */
export const manifestName = "manifest.json";

/** The maximum size of a manifest. */
export const maxManifestBytes: number = 16 * 1024 * 1024;

/** The names of the files in a data directory. */
export const storeFile = "haft.db";
export const keyFile = "master.key";
export const credentialsFile = "credentials.json";
export const settingsFile = "settings.json";
export const repositoriesFolder = "repositories";

/** Returns the name of a repository's bundle in a backup. */
export function bundleName(organization: string): string {
  return `${repositoriesFolder}/${organization}.bundle`;
}

// A backup contains only these files, so no name in it can lead out of the directory.
const knownFile =
  /^(?:haft\.db|master\.key|audit-anchors\.jsonl|(?:credentials|settings)\.json|repositories\/[a-z0-9][a-z0-9_-]{0,99}\.bundle)$/u;
const knownOrganization = /^[a-z0-9][a-z0-9_-]{0,99}$/u;
const knownHead = /^refs\/heads\/(?!.*(?:\.\.|\/\/|@\{))[\w./-]{1,200}$/u;

/** Parses a manifest and checks that no name in it leads out of the directory. */
export function parseManifest(text: string): BackupManifest {
  const found = parse(text);
  if (found?.format !== "haft-backup") throw new BackupError("This file is not a Haft backup.");
  if ((found.version as number) !== 1) {
    throw new BackupError(
      `This backup has format version ${String(found.version)}, but this Haft reads version 1 only. Restore it with the Haft that wrote it, or a newer one.`,
    );
  }
  const { files, repositories } = found;
  if (!Array.isArray(files) || !Array.isArray(repositories)) throw damaged();
  if (!files.every(isFile) || !repositories.every(isRepository)) throw damaged();
  const paths = files.map(({ path }) => path);
  if (new Set(paths).size !== paths.length || !paths.includes(storeFile)) throw damaged();
  return found as BackupManifest;
}

function parse(text: string): Partial<BackupManifest> | undefined {
  try {
    return JSON.parse(text) as Partial<BackupManifest>;
  } catch {
    return undefined;
  }
}

function isFile({ path, bytes, sha256 }: Partial<BackupFile>): boolean {
  return (
    knownFile.test(String(path)) &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) >= 0 &&
    /^[0-9a-f]{64}$/u.test(String(sha256))
  );
}

function isRepository({ organization, head, isEmpty }: Partial<BackupRepository>): boolean {
  return (
    knownOrganization.test(String(organization)) &&
    knownHead.test(String(head)) &&
    typeof isEmpty === "boolean"
  );
}

function damaged(): BackupError {
  return new BackupError("The backup's list of files is damaged. Use another backup.");
}
