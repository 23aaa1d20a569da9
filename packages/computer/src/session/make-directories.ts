import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../disk/system-error.ts";

/**
 * Makes a directory and those above it. Node's own way to do so never returns where the file system
 * itself refuses to hold new directories, as `/proc` does.
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
