import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../disk/system-error.ts";

/**
 * Creates a directory and its parents. Node's recursive `mkdir` never returns where the file system
 * itself refuses new directories, as `/proc` does.
 */
export function makeDirectories(path: string, mode: number): void {
  const missing = make(path, mode);
  if (missing === undefined) return;
  const parent = dirname(path);
  if (parent === path) throw missing;
  if (!exists(parent)) makeDirectories(parent, mode);
  // Another process may have made the parent meanwhile.
  const refused = make(path, mode);
  if (refused !== undefined) throw refused;
}

/** Creates a directory, unless it exists. Returns the error if its parent is missing. */
function make(path: string, mode: number): Error | undefined {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT") return error;
    if (error.code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
  return undefined;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
