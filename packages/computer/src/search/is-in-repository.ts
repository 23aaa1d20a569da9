import { lstatSync } from "node:fs";
import { childOf, parentOf } from "../paths/path-parts.ts";

/** Whether a directory or one above it is under version control, by ripgrep's definition. */
export function isInRepository(directory: string): boolean {
  for (let at = directory; ; at = parentOf(at)) {
    if (isThere(childOf(at, ".git")) || isThere(childOf(at, ".jj"))) return true;
    if (at === "/") return false;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
