import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TrustedOwners } from "../instructions/trusted-owners.ts";
import { showName } from "./show-name.ts";
import type { SkillDirectory } from "./skill-directories.ts";

/** State of a search, shared by all its directories. */
export interface SkillSearchState {
  readonly owners: TrustedOwners;
  /** Real paths of the folders that were visited. */
  readonly seen: Set<string>;
  readonly warnings: string[];
}

// More than any project has: the directory must contain something else.
const maxFolders = 1_000;

/** Lists the folders of a directory by name, without those that were visited before. */
export function listSkillFolders(
  directory: SkillDirectory,
  { owners, seen, warnings }: SkillSearchState,
): readonly string[] {
  let entries: Dirent[];
  let real: string;
  try {
    entries = readdirSync(directory.path, { withFileTypes: true });
    if (entries.length === 0) return [];
    real = realpathSync(directory.path);
    const doubt =
      directory.origin === "user" ? undefined : owners.findDoubt(statSync(real), directory.base);
    if (doubt !== undefined) {
      warnings.push(`The skills in ${directory.path} are ignored: the directory ${doubt}.`);
      return [];
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      warnings.push(`The skills in ${directory.path} are ignored: ${message}.`);
    }
    return [];
  }
  if (entries.length > maxFolders) {
    warnings.push(
      `${directory.path} has ${entries.length} entries; only the first ${maxFolders} are used.`,
    );
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, maxFolders)
    .filter((entry) => {
      const folder = findRealFolder(join(real, entry.name), entry, warnings);
      if (folder === undefined || seen.has(folder)) return false;
      seen.add(folder);
      return true;
    })
    .map(({ name }) => join(directory.path, name));
}

function findRealFolder(path: string, entry: Dirent, warnings: string[]): string | undefined {
  if (entry.isDirectory()) return path;
  if (!entry.isSymbolicLink()) return undefined;
  try {
    return realpathSync(path);
  } catch {
    warnings.push(`The skill ${showName(entry.name)} is ignored: ${path} is a broken link.`);
    return undefined;
  }
}
