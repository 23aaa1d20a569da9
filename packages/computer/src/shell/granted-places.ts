import { statSync } from "node:fs";
import type { Grant } from "@haft/contract";
import { findLanding } from "../disk/landing.ts";
import { childOf } from "../paths/path-parts.ts";

/** The directories and hosts that a run gets of a call's grant. Paths are where they land. */
export interface GrantedPlaces {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Patterns. */
  readonly hosts: readonly string[];
}

// What a whole directory is granted for holds for this name in it too.
const unlikely = "haft-4b1d7c2e9f";

/** What a grant allows as a whole: the directories that exist, and the hosts. */
export function grantedPlaces(grant: Grant): GrantedPlaces {
  const { read, write, hosts } = grant.places;
  return {
    readable: findDirectories(read, (path) => grant.mayRead(path)),
    writable: findDirectories(write, (path) => grant.mayWrite(path)),
    hosts: hosts.filter((pattern) => grant.mayReach(pattern.replace(/^\*/u, unlikely))),
  };
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
