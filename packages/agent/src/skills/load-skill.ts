import { ToolError } from "@haft/contract";
import { listSkillFiles, type SkillFiles } from "./list-skill-files.ts";
import { readSkill } from "./read-skill.ts";
import type { Skill } from "./skills.ts";
import { wrapSkill } from "./wrap-skill.ts";

/** A skill as it is now. */
export interface LoadedSkill extends SkillFiles {
  readonly body: string;
  /** What a model is given. */
  readonly content: string;
}

/** Loads a skill that was found. One that is gone or can't be used any more is a `ToolError`. */
export function loadSkill(skill: Skill): LoadedSkill {
  const read = readSkill(skill.directory);
  if (read === undefined || "fault" in read) {
    const fault = read === undefined ? "its file is gone" : read.fault;
    throw new ToolError("unavailable", `The skill ${skill.name} can't be loaded: ${fault}.`, {
      absolutePath: skill.file,
    });
  }
  const { body } = read;
  const files = listSkillFiles(skill.directory);
  return { body, ...files, content: wrapSkill(skill, body, files) };
}
