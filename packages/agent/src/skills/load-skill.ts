import { ToolError } from "@haft/contract";
import { toPlainLine, toVisibleJson } from "@haft/core/internal";
import { wrapInTag } from "../instructions/wrap-in-tag.ts";
import { listSkillFiles, type SkillFiles } from "./list-skill-files.ts";
import { readSkill } from "./read-skill.ts";
import type { Skill } from "./skills.ts";

/** The current content of a skill. */
export interface LoadedSkill extends SkillFiles {
  readonly body: string;
  /** The text for the model. */
  readonly content: string;
}

/** Loads a skill. Throws a `ToolError` if it no longer exists or can't be used any more. */
export function loadSkill(skill: Skill): LoadedSkill {
  const read = readSkill(skill.directory);
  if (read === undefined || "fault" in read) {
    const fault = read === undefined ? "its file no longer exists" : read.fault;
    throw new ToolError("unavailable", `The skill ${skill.name} can't be loaded: ${fault}.`, {
      absolutePath: skill.file,
    });
  }
  const { body } = read;
  const files = listSkillFiles(skill.directory);
  return { body, ...files, content: wrapSkill(skill, body, files) };
}

/** Formats a skill for a model: its body between tags, and a list of its files. */
function wrapSkill(
  { name, directory }: Pick<Skill, "name" | "directory">,
  body: string,
  { files, hasMore }: SkillFiles,
): string {
  const inside = [
    `The skill's folder is ${directory}. Paths in the text below are relative to it.`,
    body === "" ? "(The skill has no text.)" : body,
  ];
  if (files.length > 0) {
    const rest = hasMore ? "\n- and more" : "";
    const listed = files.map((file) => `- ${showName(file)}`).join("\n");
    inside.push(`Files in the skill's folder, to read when needed:\n${listed}${rest}`);
  }
  return wrapInTag("skill_content", { name }, inside.join("\n\n"));
}

function showName(file: string): string {
  return file === toPlainLine(file) ? file : toVisibleJson(JSON.stringify(file));
}
