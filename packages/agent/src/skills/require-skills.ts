import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { escapeGlob, type RequirementSet } from "@haft/contract";
import type { Skills } from "./skills.ts";

/**
 * What an agent has to be granted so that it can read the files of skills outside its workspace: those
 * of the user's own and of the directories above. Meant to be part of the manifest of its session.
 */
export function requireSkills(skills: Skills, workspace: string): RequirementSet {
  const root = findReal(workspace);
  const isOutside = (path: string): boolean => path !== root && !path.startsWith(`${root}${sep}`);
  const directories = skills
    .list()
    // Paths are judged where they land too. A link of a project's own must not open anything by that.
    .flatMap(({ directory, origin }) =>
      origin === "user" ? [directory, findReal(directory)] : [directory],
    )
    .filter(isOutside);
  const read = [...new Set(directories)].map((directory) => `${escapeGlob(directory)}/**`);
  return { fs: { read } };
}

function findReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is gone since; a pattern for what is not there grants nothing.
    return path;
  }
}
