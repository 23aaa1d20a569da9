import { lstatSync, statSync } from "node:fs";
import { isInside, parentOf } from "../../paths/path-parts.ts";

/** A directory or file that sandboxes need. */
export interface NeededPlace {
  readonly path: string;
  /** `as-is`: it needs no other owner, only to be reached. */
  readonly how: "write" | "read" | "as-is";
}

/** What `ownerMappingScript` is told. */
export interface OwnerMapping {
  /** Directories that others do not get through. */
  readonly covered: readonly string[];
  readonly shown: readonly (NeededPlace & { readonly uid: number; readonly gid: number })[];
}

/**
 * Finds out how somebody without rights gets to places that are root's: what is to be written is
 * always given to them, what is to be read only if they could not read it anyway.
 */
export function mapOwners(needed: readonly NeededPlace[]): OwnerMapping {
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
        const { uid, gid } = lstatSync(place.path);
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

/** Whether everybody can read what is at a path. */
export function canOthersRead(path: string): boolean {
  const stats = statSync(path);
  const needed = stats.isDirectory() ? 0o005 : 0o004;
  return (stats.mode & needed) === needed && directoriesAbove(path).every(isPassable);
}
