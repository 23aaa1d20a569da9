import { wrapInTag } from "../instructions/wrap-in-tag.ts";
import type { SkillFiles } from "./list-skill-files.ts";
import type { Skill } from "./skills.ts";

/** A skill as a model reads it: its body between tags, and what else is in its folder. */
export function wrapSkill(
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
    inside.push(`Files in its folder, to be read when they are needed:\n${listed}${rest}`);
  }
  return wrapInTag("skill_content", { name }, inside.join("\n\n"));
}

function showName(file: string): string {
  return /\p{Cc}/u.test(file) ? JSON.stringify(file) : file;
}
