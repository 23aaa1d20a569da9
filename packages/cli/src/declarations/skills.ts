import type { Command } from "../command.ts";
import { commonOnly } from "./option-groups.ts";

const groups = [commonOnly("workspace", "json")];

/** `haft skills` */
export const skills: Command = {
  details: `
A skill is a folder with a SKILL.md: lines 'name: ...' and 'description: ...' between two lines of ---,
followed by the instructions in Markdown. An agent sees only the descriptions until it loads a skill
with the tool 'skill'. It is then told the names of the folder's other files and can read them. A skill
without a description is ignored.

Haft looks for skills in .agents/skills and .claude/skills of the workspace and of the directories
above it, up to the root of the repository, then in those of your home directory and in
~/.config/haft/skills. If two have the same name, the first one found is used.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List every skill, and what is wrong with invalid ones",
      groups,
      examples: ["haft skills", "haft skills list --json | jq -r '.[].name'"],
      load: async () => (await import("../commands/skills/list.ts")).listSkills,
    },
    validate: {
      summary: "Check skills against the format",
      details: `
This is stricter than what agents accept: the name has only lowercase letters, digits and hyphens and
equals the folder's name, there are only known fields, and lengths are within the limits of the format.
Exits with 1 if a skill has errors; warnings do not count.`,
      arguments: [
        {
          name: "DIR",
          description: "Folder of a skill, or of several. Default: every skill that is found",
          optional: true,
          repeats: true,
          completes: "directory",
        },
      ],
      groups,
      examples: ["haft skills validate", "haft skills validate .agents/skills/pdf"],
      load: async () => (await import("../commands/skills/validate.ts")).validateSkills,
    },
    show: {
      summary: "Show what an agent reads when it loads a skill",
      arguments: [{ name: "NAME", description: "Name of the skill. `haft skills` lists them" }],
      groups,
      examples: ["haft skills show pdf", "haft call skill name=pdf"],
      load: async () => (await import("../commands/skills/show.ts")).showSkill,
    },
  },
};
