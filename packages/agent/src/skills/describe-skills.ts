import { advertiseSkills } from "./advertise-skills.ts";
import type { Skills } from "./skills.ts";

const maxBytes = 8 * 1024;

/** Returns the section of the system prompt that lists the skills, or `undefined` if there are none. */
export function describeSkills(
  skills: Skills,
  nameTools: (text: string) => string,
): string | undefined {
  const list = skills.list();
  if (list.length === 0) return undefined;
  return [
    "# Skills",
    "",
    nameTools(
      "A skill is a set of instructions for one kind of work. Before you do such work, load the skill with the tool `skill` and follow it. Available skills:",
    ),
    "",
    advertiseSkills(list, maxBytes),
  ].join("\n");
}
