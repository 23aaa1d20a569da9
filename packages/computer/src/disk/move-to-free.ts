import { linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { alreadyExists } from "../paths/path-errors.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { lookAt } from "./snapshot.ts";
import { isSystemError } from "./system-error.ts";

/** Moves a file to an unused name. Never replaces another file. */
export function moveToFree(from: string, to: PinnedEntry, asked: string): void {
  const target = to.directory.at(to.name);
  // A rename would replace what appeared there a moment ago; a hard link refuses to. But hard-linking
  // a symbolic link behaves differently across systems.
  if (lstatSync(from).isSymbolicLink() || !tryLink(from, target, asked)) {
    if (lookAt(to) !== undefined) throw alreadyExists(asked);
    renameSync(from, target);
    return;
  }
  try {
    unlinkSync(from);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}

const linksUnsupported: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

function tryLink(from: string, target: string, asked: string): boolean {
  try {
    linkSync(from, target);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EEXIST") throw alreadyExists(asked, error);
    if (linksUnsupported.includes(error.code)) return false;
    throw error;
  }
}
