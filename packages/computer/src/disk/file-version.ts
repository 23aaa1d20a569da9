import type { BigIntStats } from "node:fs";
import type { FileKind, FileStat } from "@haft/contract";

/** Converts system stats to the contract's form. */
export function toFileStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs / 1000n) / 1000,
    mode: Number(stats.mode & 0o7777n),
    version: versionOf(stats),
  };
}

/** Changes with every change of content that the file system can detect. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join("-");
}

/** The kind of an entry, as tools see it. */
export function kindOf(entry: Pick<BigIntStats, "isFile" | "isDirectory">): FileKind {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : "other";
}
