import { advertiseSkills } from "./advertise-skills.ts";
import type { Skills } from "./skills.ts";

const mostBytes = 8 * 1024;

/** The part of a system prompt that says which skills there are; `undefined` if there are none. */
export function describeSkills(skills: Skills): string | undefined {
  const list = skills.list();
  if (list.length === 0) return undefined;
  return [
    "# Skills",
    "",
    "A skill is a set of instructions for one kind of work. Before you do such work, load it with the tool `skill` and follow what it says. These are there:",
    "",
    advertiseSkills(list, mostBytes),
  ].join("\n");
}
