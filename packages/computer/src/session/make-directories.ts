import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../disk/system-error.ts";

/**
 * Creates a directory and its parents. Node's recursive `mkdir` never returns where the file system
 * itself refuses new directories, as `/proc` does.
 */
export function makeDirectories(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EEXIST" && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (error.code !== "ENOENT" || parent === path || exists(parent)) throw error;
    makeDirectories(parent, mode);
    makeDirectories(path, mode);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
