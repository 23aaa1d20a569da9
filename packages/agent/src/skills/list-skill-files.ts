import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** The files of a skill other than its `SKILL.md`. */
export interface SkillFiles {
  /** Relative to the skill's folder, shallow paths first. */
  readonly files: readonly string[];
  /** Whether there are more files. */
  readonly hasMore: boolean;
}

const maxFiles = 100;
// A folder may contain a whole environment, which would take too long to list.
const maxDirectories = 200;
const maxEntries = 2_000;
const skipped = new Set([".git", "node_modules", "__pycache__", ".venv", ".DS_Store"]);

/** Lists a skill's files. Links are listed but not followed. */
export function listSkillFiles(directory: string): SkillFiles {
  const files: string[] = [];
  const waiting = [""];
  let looked = 0;
  for (let at = 0; at < waiting.length; at++) {
    const folder = waiting[at] as string;
    for (const entry of list(join(directory, folder))) {
      looked += 1;
      if (looked > maxEntries) return { files, hasMore: true };
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (skipped.has(entry.name) || path === "SKILL.md" || path === "skill.md") continue;
      if (entry.isDirectory()) {
        if (waiting.length >= maxDirectories) return { files, hasMore: true };
        waiting.push(path);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        if (files.length >= maxFiles) return { files, hasMore: true };
        files.push(path);
      }
    }
  }
  return { files, hasMore: false };
}

function list(directory: string): readonly Dirent[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A directory that can't be listed is left out.
    return [];
  }
}
