import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { isInside } from "@haft/contract/internal";
import { findLanding } from "../disk/landing.ts";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";

/** What one reading needs to know about the disk, looked up once. */
export interface DiskView {
  /** Where a path leads after links. */
  landing(path: string): string;
  /** Whether a directory can be changed to. */
  isDirectory(path: string): boolean;
  /**
   * Whether git would treat a directory of the workspace as a repository although its name does not
   * show it: one with the files of a repository, including configuration that names programs to run.
   */
  isPlanted(directory: string): boolean;
}

/** Creates a view with nothing looked up yet. */
export function createDiskView(roots: readonly string[]): DiskView {
  const directories = new Map<string, string>();
  const planted = new Map<string, boolean>();
  const directoryOf = (path: string): string => {
    const known = directories.get(path) ?? findLanding(path);
    directories.set(path, known);
    return known;
  };
  const landing = (path: string): string => {
    const name = nameOf(path);
    // Many files share a directory, and most are not links.
    if (unusual.test(name)) return findLanding(path);
    const child = childOf(directoryOf(parentOf(path)), name);
    return isLink(child) ? findLanding(path) : child;
  };
  return {
    landing,
    isDirectory: (path) => {
      try {
        accessSync(`${path}/.`, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
    isPlanted: (directory) => {
      const known = planted.get(directory) ?? findPlanted(landing(directory), roots);
      planted.set(directory, known);
      return known;
    },
  };
}

const unusual = /^\.{0,2}$/u;

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}

function findPlanted(directory: string, roots: readonly string[]): boolean {
  for (let at = directory; ; at = parentOf(at)) {
    if (existsSync(childOf(at, ".git"))) return false;
    if (!roots.some((root) => isInside(root, at))) return false;
    if (existsSync(childOf(at, "HEAD")) && existsSync(childOf(at, "objects"))) return true;
    if (at === "/") return false;
  }
}
