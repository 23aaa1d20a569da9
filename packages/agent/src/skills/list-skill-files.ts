import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** The files of a skill beside its `SKILL.md`. */
export interface SkillFiles {
  /** Relative to its folder, those near the top first. */
  readonly files: readonly string[];
  /** There are others. */
  readonly hasMore: boolean;
}

const mostFiles = 100;
// A folder may hold a whole environment; nobody is to wait for it.
const mostDirectories = 200;
const mostEntries = 2_000;
const skipped = new Set([".git", "node_modules", "__pycache__", ".venv", ".DS_Store"]);

/** Lists a skill's files. Links are named and not followed. */
export function listSkillFiles(directory: string): SkillFiles {
  const files: string[] = [];
  const waiting = [""];
  let looked = 0;
  for (let at = 0; at < waiting.length; at++) {
    const folder = waiting[at] as string;
    for (const entry of list(join(directory, folder))) {
      looked += 1;
      if (looked > mostEntries) return { files, hasMore: true };
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (skipped.has(entry.name) || path === "SKILL.md" || path === "skill.md") continue;
      if (entry.isDirectory()) {
        if (waiting.length >= mostDirectories) return { files, hasMore: true };
        waiting.push(path);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        if (files.length >= mostFiles) return { files, hasMore: true };
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
    // What may not be looked into can't be read either.
    return [];
  }
}
