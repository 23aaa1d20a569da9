import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { RequirementSet } from "@haft/contract";
import { escapeGlob } from "@haft/contract/internal";
import type { Skills } from "./skills.ts";

/**
 * Returns the requirements for reading the files of skills outside the workspace: those of the user and
 * of parent directories. Add them to the manifest of the agent's session.
 */
export function requireSkills(skills: Skills, workspace: string): RequirementSet {
  const root = findReal(workspace);
  const isOutside = (path: string): boolean => path !== root && !path.startsWith(`${root}${sep}`);
  const directories = skills
    .list()
    // Paths are also checked with links resolved. A link in the project must not open anything that way.
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
    // It no longer exists; a pattern for a missing path grants nothing.
    return path;
  }
}
