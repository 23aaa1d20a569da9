import type { Stats } from "node:fs";
import { createTrustedOwners } from "../instructions/trusted-owners.ts";
import { findSkillPlaces, type SkillSearch } from "./find-skill-places.ts";
import { listSkillFolders } from "./list-skill-folders.ts";
import { readSkill } from "./read-skill.ts";
import { showName } from "./show-name.ts";
import type { Skill, Skills } from "./skills.ts";

/** The skills that were found, and where. */
export interface DiscoveredSkills extends Skills {
  /** Every folder with a `SKILL.md`, also of those that are left out. */
  readonly folders: readonly string[];
}

/**
 * Finds the skills of a workspace: `.agents/skills` and `.claude/skills` upward to the repository's root,
 * then the user's. Nothing is looked for before it is asked for, and it is looked for once.
 */
export function discoverSkills(search: SkillSearch): DiscoveredSkills {
  let found: Found | undefined;
  const look = (): Found => {
    found ??= findAll(search);
    return found;
  };
  return {
    get: (name) => look().skills.get(name),
    list: () => [...look().skills.values()],
    get warnings() {
      return look().warnings;
    },
    get folders() {
      return look().folders;
    },
  };
}

interface Found {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly warnings: readonly string[];
  readonly folders: readonly string[];
}

function findAll(search: SkillSearch): Found {
  const skills = new Map<string, Skill>();
  const warnings: string[] = [];
  const owners = createTrustedOwners(search.workspace);
  const folders: string[] = [];
  const seen = new Set<string>();
  for (const place of findSkillPlaces(search)) {
    for (const directory of listSkillFolders(place, { owners, seen, warnings })) {
      const doubt = (file: Stats): string | undefined => owners.findDoubt(file, directory);
      const read = readSkill(directory, place.origin === "user" ? undefined : doubt);
      if (read === undefined) continue;
      folders.push(directory);
      if ("fault" in read) {
        const { name, file, fault } = read;
        warnings.push(`The skill ${showName(name)} in ${file} is left out: ${fault}.`);
        continue;
      }
      const skill: Skill = { ...read.skill, origin: place.origin };
      const twin = skills.get(skill.name);
      if (twin !== undefined) {
        warnings.push(
          `Two skills are named ${showName(skill.name)}: ${twin.file} is used, ${skill.file} is not. Rename one.`,
        );
        continue;
      }
      skills.set(skill.name, skill);
      if (read.remarks.length > 0) {
        warnings.push(
          `The skill ${showName(skill.name)} in ${skill.file}: ${read.remarks.join(" ")}`,
        );
      }
    }
  }
  return { skills, warnings, folders };
}
