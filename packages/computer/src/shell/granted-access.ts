import { statSync } from "node:fs";
import type { Grant } from "@haft/contract";
import { findLanding } from "../disk/landing.ts";
import { childOf } from "../paths/path-parts.ts";

/** The directories and hosts that a run gets from a call's grant. Paths have their links resolved. */
export interface GrantedAccess {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Host patterns. */
  readonly hosts: readonly string[];
  /** Directories that appear empty. Default: none. */
  readonly hidden?: readonly string[];
}

// A grant for a whole directory includes this name in it.
const unlikely = "haft-4b1d7c2e9f";

/**
 * Returns the existing directories and the hosts that a grant allows as a whole. Of repositories around
 * the workspace, the history is hidden: programs, configuration and other packages are not in it.
 */
export function toGrantedAccess(grant: Grant, repositories: readonly string[] = []): GrantedAccess {
  const { read, write, hosts } = grant.places;
  const readable = findDirectories(read, (path) => grant.mayRead(path));
  const writable = findDirectories(write, (path) => grant.mayWrite(path));
  const access = {
    readable,
    writable,
    hosts: hosts.filter((pattern) => grant.mayReach(pattern.replace(/^\*/u, unlikely))),
  };
  const hidden = repositories
    .filter((path) => readable.includes(path) && !writable.includes(path))
    .map((path) => childOf(path, ".git"))
    .filter(isDirectory);
  return hidden.length === 0 ? access : { ...access, hidden };
}

function findDirectories(
  places: readonly string[],
  isGranted: (path: string) => boolean,
): readonly string[] {
  const found = new Set<string>();
  for (const place of places) {
    const landing = findLanding(place);
    const isWhole = [place, landing].every((path) => isGranted(childOf(path, unlikely)));
    if (isWhole && isDirectory(landing)) found.add(landing);
  }
  return [...found];
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
