import { join } from "node:path";
import { fromKeyText, type MasterKey, newMasterKey, toKeyText } from "./master-key.ts";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "./private-file.ts";

const heading = [
  "# Haft: master keys of the secrets in the database. One key per line; the first seals, all open.",
  "# Keep a copy in a safe place: without this file the secrets are lost.",
];

/** Returns the path of a data directory's key file. */
export function masterKeyPath(directory: string): string {
  return join(directory, "master.key");
}

/** Reads a data directory's keys, the sealing key first. Creates a key if there is none. */
export function openMasterKeyFile(directory: string): readonly MasterKey[] {
  const path = masterKeyPath(directory);
  // Of several processes that start at once, one creates the file and the others read it.
  if (readPrivateFile(path) === undefined) createPrivateFile(path, toText([newMasterKey()]));
  return readMasterKeyFile(directory);
}

/** Reads a data directory's keys, the sealing key first. Throws if the file is missing. */
export function readMasterKeyFile(directory: string): readonly MasterKey[] {
  const path = masterKeyPath(directory);
  const file = readPrivateFile(path);
  if (file === undefined) {
    throw new Error(
      `${path} is missing, and with it the key to every secret in the database. Restore it from a copy, or set HAFT_MASTER_KEY.`,
    );
  }
  if (!file.isPrivate) {
    throw new Error(`Other users can read ${path}. Run: chmod 600 ${path}`);
  }
  const lines = file.text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#")).map(fromKeyText);
  if (keys.length === 0 || keys.includes(undefined)) {
    throw new Error(
      `${path} is malformed: each line must be a key, 32 bytes in base64. Restore it from a copy.`,
    );
  }
  return keys as readonly MasterKey[];
}

/** Replaces a data directory's keys atomically. */
export function writeMasterKeyFile(directory: string, keys: readonly MasterKey[]): void {
  replacePrivateFile(masterKeyPath(directory), toText(keys));
}

function toText(keys: readonly MasterKey[]): string {
  return `${[...heading, ...keys.map(toKeyText)].join("\n")}\n`;
}
