import { createHash } from "node:crypto";
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { readUntrustedFile } from "../../disk/read-untrusted-file.ts";
import { parentOf } from "../../paths/path-parts.ts";

/**
 * How a sandbox guards a path. A `secret` can't be read. A `closed` directory can't be listed, so its
 * content is unknown: it is hidden as a whole. A `socket` can't be connected to. A `protected` path
 * can't be changed; a `fixed` one can't be moved, because something in it is protected. `watched`
 * paths, the files of a bare repository, are only checked afterwards. A rule denies reading an
 * `unreadable` path and changing an `unwritable` one, for directories with everything in them.
 */
export type GuardKind =
  | "secret"
  | "closed"
  | "socket"
  | "protected"
  | "fixed"
  | "watched"
  | "unreadable"
  | "unwritable";

/** A path that a sandbox must guard. */
export interface GuardedPath {
  readonly kind: GuardKind;
  readonly path: string;
  /** The path that it takes effect as, which differs from its own if a link or git's files lead to it. */
  readonly as: string;
  readonly type: "file" | "directory" | "link";
  /** Identifies the file that was found. */
  readonly identity: string;
  /** Whether its content can change without being replaced: then it is part of `identity`. */
  readonly isChangeable: boolean;
}

/** Describes what is at a path, links not followed; `undefined` if nothing is. */
export function describePath(
  kind: GuardKind,
  path: string,
  as: string = path,
): GuardedPath | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const type = typeOf(stats);
  const { dev, ino, birthtimeMs, nlink } = stats;
  // A file with a second hard link can be changed through that, even if this name is guarded.
  const isChangeable = kind === "watched" || (kind === "protected" && type === "file" && nlink > 1);
  const rest = type === "link" ? readLink(path) : isChangeable ? summarize(path, stats) : "";
  // Inode numbers are reused.
  const identity = `${dev}:${ino}:${birthtimeMs}:${rest}`;
  return { kind, path, as, type, identity, isChangeable };
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

const maxSummarizedBytes = 1024 * 1024;

// By content, not by times: a command can reset a file's modification time.
function summarize(path: string, { mode, size, ctimeMs }: Stats): string {
  const { bytes } = readUntrustedFile(path, {
    within: parentOf(path),
    maxBytes: maxSummarizedBytes,
  });
  if (bytes === undefined) return `${size}:${ctimeMs}`;
  // An executable hook differs from one that is not.
  return `${mode & 0o111}:${createHash("sha256").update(bytes).digest("hex")}`;
}

function typeOf(stats: Stats): GuardedPath["type"] {
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "file";
}
