import { join } from "node:path";
import { fromKeyText, type MasterKey, newMasterKey, toKeyText } from "./master-key.ts";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "./private-file.ts";

const heading = [
  "# Haft: what seals the secrets in the store. One key a line; the first one seals, all open.",
  "# Keep a copy in a safe place: without it the secrets are lost.",
];

/** Where the keys of a data directory are. */
export function masterKeyPath(directory: string): string {
  return join(directory, "master.key");
}

/** The keys in a data directory, the one that seals first; made now if there are none. */
export function openMasterKeyFile(directory: string): readonly MasterKey[] {
  const path = masterKeyPath(directory);
  // Of several processes that start at once one is first, and the others use its key.
  if (readPrivateFile(path) === undefined) createPrivateFile(path, toText([newMasterKey()]));
  return readMasterKeyFile(directory);
}

/** The keys in a data directory, the one that seals first. Throws if they are not there. */
export function readMasterKeyFile(directory: string): readonly MasterKey[] {
  const path = masterKeyPath(directory);
  const file = readPrivateFile(path);
  if (file === undefined) {
    throw new Error(
      `${path} is gone, and with it the key to every secret in the store. Restore it from a copy.`,
    );
  }
  if (!file.isPrivate) {
    throw new Error(`Others can read ${path}. Say: chmod 600 ${path}`);
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

/** Replaces the keys in a data directory, in one step. */
export function writeMasterKeyFile(directory: string, keys: readonly MasterKey[]): void {
  replacePrivateFile(masterKeyPath(directory), toText(keys));
}

function toText(keys: readonly MasterKey[]): string {
  return `${[...heading, ...keys.map(toKeyText)].join("\n")}\n`;
}
