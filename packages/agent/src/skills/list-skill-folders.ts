import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TrustedOwners } from "../instructions/trusted-owners.ts";
import type { SkillPlace } from "./find-skill-places.ts";
import { showName } from "./show-name.ts";

/** What is shared by all places of a search. */
export interface Looking {
  readonly owners: TrustedOwners;
  /** The real paths of the folders that were looked at. */
  readonly seen: Set<string>;
  readonly warnings: string[];
}

// No project has so many; whoever has them put something else there.
const mostFolders = 1_000;

/** The folders of a place in the order of their names, without those that were looked at before. */
export function listSkillFolders(
  place: SkillPlace,
  { owners, seen, warnings }: Looking,
): readonly string[] {
  let entries: Dirent[];
  let real: string;
  try {
    entries = readdirSync(place.path, { withFileTypes: true });
    if (entries.length === 0) return [];
    real = realpathSync(place.path);
    const doubt =
      place.origin === "user" ? undefined : owners.findDoubt(statSync(real), place.base);
    if (doubt !== undefined) {
      warnings.push(`The skills in ${place.path} are left out: the directory ${doubt}.`);
      return [];
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      warnings.push(`The skills in ${place.path} are left out: ${message}.`);
    }
    return [];
  }
  if (entries.length > mostFolders) {
    warnings.push(
      `${place.path} has ${entries.length} entries; the first ${mostFolders} are used.`,
    );
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, mostFolders)
    .filter((entry) => {
      const folder = findRealFolder(join(real, entry.name), entry, warnings);
      if (folder === undefined || seen.has(folder)) return false;
      seen.add(folder);
      return true;
    })
    .map(({ name }) => join(place.path, name));
}

function findRealFolder(path: string, entry: Dirent, warnings: string[]): string | undefined {
  if (entry.isDirectory()) return path;
  if (!entry.isSymbolicLink()) return undefined;
  try {
    return realpathSync(path);
  } catch {
    warnings.push(`The skill ${showName(entry.name)} is left out: ${path} leads nowhere.`);
    return undefined;
  }
}
