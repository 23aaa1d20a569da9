import { accessSync, type BigIntStats, constants } from "node:fs";
import type { Place } from "./place.ts";
import { requireRegular } from "./read-file.ts";

/** Throws unless what is at a place is a file that may be written to, or nothing. */
export function requireWritable({ directory, name, found }: Place, asked: string): void {
  if (found === undefined) return;
  requireRegular(found, asked);
  // A rename needs no permission on the file that it replaces, but whoever took it away meant it.
  if (!isOwnAndWritable(found)) accessSync(directory.at(name), constants.W_OK);
}

// What almost every file is; it can be told without asking the system.
function isOwnAndWritable({ uid, mode }: BigIntStats): boolean {
  return uid === BigInt(process.geteuid?.() ?? -1) && (mode & 0o200n) !== 0n;
}
