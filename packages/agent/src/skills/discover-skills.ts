import { realpathSync, type Stats } from "node:fs";
import type { ProjectTrust } from "@haft/computer";
import { readProjectDirectory } from "@haft/computer/internal";
import { createTrustedOwners } from "../instructions/trusted-owners.ts";
import { listSkillFolders } from "./list-skill-folders.ts";
import { readSkill } from "./read-skill.ts";
import { showName } from "./show-name.ts";
import { listSkillDirectories, type SkillSearch } from "./skill-directories.ts";
import type { Skill, Skills, UntrustedSkill } from "./skills.ts";

/** The skills that were found, and their folders. */
export interface DiscoveredSkills extends Skills {
  /** Every folder with a `SKILL.md`, including those of skills that are left out. */
  readonly folders: readonly string[];
  readonly untrusted: readonly UntrustedSkill[];
}

/**
 * Discovers the skills of a workspace: `.agents/skills` and `.claude/skills` upward to the repository's root,
 * then the user's. The search runs once, on first use.
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
    get untrusted() {
      return look().untrusted;
    },
    findDoubt: (skill) => {
      if (skill.origin === "user") return undefined;
      const read = readSkill(skill.directory);
      if (read === undefined || "fault" in read || read.commands === undefined) return undefined;
      const judged = judgeSkill(skill, search.trust);
      return judged === "trusted" ? undefined : explain(judged, read.commands);
    },
  };
}

interface Found {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly warnings: readonly string[];
  readonly folders: readonly string[];
  readonly untrusted: readonly UntrustedSkill[];
}

function findAll(search: SkillSearch): Found {
  const skills = new Map<string, Skill>();
  const warnings: string[] = [];
  const owners = createTrustedOwners(search.workspace);
  const folders: string[] = [];
  const untrusted: UntrustedSkill[] = [];
  const seen = new Set<string>();
  for (const parent of listSkillDirectories(search)) {
    for (const directory of listSkillFolders(parent, { owners, seen, warnings })) {
      const doubt = (file: Stats): string | undefined => owners.findDoubt(file, directory);
      const read = readSkill(directory, parent.origin === "user" ? undefined : doubt);
      if (read === undefined) continue;
      folders.push(directory);
      if ("fault" in read) {
        const { name, file, fault } = read;
        warnings.push(`The skill ${showName(name)} in ${file} is ignored: ${fault}.`);
        continue;
      }
      const skill: Skill = { ...read.skill, origin: parent.origin };
      if (parent.origin === "project" && read.commands !== undefined) {
        const judged = judgeSkill(skill, search.trust);
        if (typeof judged === "object" && "content" in judged) untrusted.push(judged);
        else if (judged !== "trusted") {
          warnings.push(
            `The skill ${showName(skill.name)} is ignored: ${skill.directory} ${judged.fault}.`,
          );
        }
        if (judged !== "trusted") continue;
      }
      const twin = skills.get(skill.name);
      if (twin !== undefined) {
        warnings.push(
          `Two skills are named ${showName(skill.name)}: ${twin.file} is used, ${skill.file} is ignored. Rename one.`,
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
  return { skills, warnings, folders, untrusted };
}

type Judged = "trusted" | UntrustedSkill | { readonly fault: string };

// Trust covers the whole folder: the text may tell an agent to run a script next to it.
function judgeSkill({ name, directory }: Skill, trust: ProjectTrust | undefined): Judged {
  const read = readProjectDirectory(findReal(directory));
  if (read.fault !== undefined) return read;
  const item: UntrustedSkill = { kind: "skill", path: directory, content: read.content, name };
  return trust?.isTrusted(item) === true ? "trusted" : item;
}

function explain(judged: UntrustedSkill | { readonly fault: string }, commands: string): string {
  if ("fault" in judged) return `its folder ${judged.fault}`;
  return `it comes from this project, ${commands}, and its current content is not trusted. Review it with: haft trust`;
}

function findReal(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
