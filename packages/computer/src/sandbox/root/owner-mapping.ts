import { lstatSync, statSync } from "node:fs";
import { isInside } from "@haft/contract/internal";
import { parentOf } from "../../paths/path-parts.ts";

/** A directory or file that sandboxes need. */
export interface NeededPath {
  readonly path: string;
  /** `as-is`: it keeps its owner, and only has to be reachable. */
  readonly how: "write" | "read" | "as-is";
  /** The path whose owner becomes that user. Default: the path itself. */
  readonly like?: string;
}

/** The arguments of `ownerMappingScript`. */
export interface OwnerMapping {
  /** Directories that other users can't pass through. */
  readonly covered: readonly string[];
  readonly shown: readonly (NeededPath & { readonly uid: number; readonly gid: number })[];
}

/**
 * Works out how an unprivileged user gets to paths that belong to root: writable ones are always
 * mapped, readable ones only if that user could not read them anyway.
 */
export function mapOwners(needed: readonly NeededPath[]): OwnerMapping {
  const places = needed
    .filter(({ path, how }) => how === "write" || !canOthersRead(path))
    .filter(({ path }, index, all) => all.findIndex((other) => other.path === path) === index);
  const isShown = (path: string): boolean => places.some((place) => place.path === path);
  const covered = places.flatMap(({ path }) => {
    const closed = directoriesAbove(path).find((above) => !isShown(above) && !isPassable(above));
    return closed === undefined ? [] : [closed];
  });
  return {
    covered: [...new Set(covered)]
      .filter((path, _, all) => !all.some((other) => other !== path && isInside(other, path)))
      .sort(),
    shown: places
      .map((place) => {
        const { uid, gid } = lstatSync(place.like ?? place.path);
        return { ...place, uid, gid };
      })
      .sort((a, b) => a.path.length - b.path.length),
  };
}

function directoriesAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = parentOf(path); at !== "/"; at = parentOf(at)) above.unshift(at);
  return above;
}

function isPassable(directory: string): boolean {
  return (statSync(directory).mode & 0o001) !== 0;
}

/** Whether everyone can read what is at a path. */
export function canOthersRead(path: string): boolean {
  const stats = statSync(path);
  const needed = stats.isDirectory() ? 0o005 : 0o004;
  return (stats.mode & needed) === needed && directoriesAbove(path).every(isPassable);
}
