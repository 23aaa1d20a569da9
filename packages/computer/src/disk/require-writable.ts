import { accessSync, type BigIntStats, constants } from "node:fs";
import type { PinnedEntry } from "./pinned-entry.ts";
import { requireRegular } from "./read-file.ts";

/** Throws unless the entry is a writable file, or missing. */
export function requireWritable({ directory, name, found }: PinnedEntry, asked: string): void {
  if (found === undefined) return;
  requireRegular(found, asked);
  // A rename needs no permission on the file it replaces, but a removed permission is deliberate.
  if (!isOwnAndWritable(found)) accessSync(directory.at(name), constants.W_OK);
}

// The usual case, which can be decided without a system call.
function isOwnAndWritable({ uid, mode }: BigIntStats): boolean {
  return uid === BigInt(process.geteuid?.() ?? -1) && (mode & 0o200n) !== 0n;
}
