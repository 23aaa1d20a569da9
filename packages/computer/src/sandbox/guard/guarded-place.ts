import { lstatSync, readlinkSync, type Stats } from "node:fs";

/**
 * What a sandbox must not let a command do to a place: `secret` is not read, `protected` not
 * changed, `fixed` not moved away, for what is in it is protected. `watched` is only looked at
 * afterwards: the configuration of a repository without a directory for work.
 */
export type GuardKind = "secret" | "protected" | "fixed" | "watched";

/** A place in a tree that a sandbox must treat in its own way. */
export interface GuardedPlace {
  readonly kind: GuardKind;
  readonly path: string;
  readonly type: "file" | "directory" | "link";
  /** Which file it was when it was found. */
  readonly identity: string;
}

/** Describes what is at a path, links not followed; `undefined` if nothing is. */
export function describePlace(kind: GuardKind, path: string): GuardedPlace | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const type = typeOf(stats);
  const { dev, ino, birthtimeMs, size, mtimeMs } = stats;
  // Nothing keeps these from being changed where they are.
  const rest = type === "link" ? readLink(path) : kind === "watched" ? `${size}:${mtimeMs}` : "";
  // The number of a file that is gone is given to the next.
  return { kind, path, type, identity: `${dev}:${ino}:${birthtimeMs}:${rest}` };
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function typeOf(stats: Stats): GuardedPlace["type"] {
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "file";
}
