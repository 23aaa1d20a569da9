import type { Command, CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

type Action = (input: CommandInput, io: Io) => Promise<number>;

const actions: Readonly<Record<string, () => Promise<Action>>> = {
  list: async () => (await import("./skills/list.ts")).listSkills,
  validate: async () => (await import("./skills/validate.ts")).validateSkills,
  show: async () => (await import("./skills/show.ts")).showSkill,
};

/** `haft skills` */
export const skills: Command = {
  help: `List, check and show skills: instructions that an agent loads when it needs them.

Usage: haft skills [list]              every skill, and what is wrong with those that are none
       haft skills validate [DIR...]   check skills against the format, all that are found unless said
       haft skills show NAME           what an agent reads when it loads the skill

A skill is a folder with a SKILL.md: lines 'name: ...' and 'description: ...' between two lines of ---,
and below them what to do, in Markdown. Other files of the folder are named to the agent, which reads
them when it needs them. An agent sees the descriptions only, until it loads a skill with the tool
'skill'; one without a description is left out.

Skills are looked for in .agents/skills and .claude/skills of the workspace and the directories above
it, up to the root of the repository, then in those of your home directory and in
~/.config/haft/skills. Of two with the same name the first is taken.

validate is stricter than what agents take: a name in small letters, digits and hyphens that is the
folder's too, known fields only, lengths as the format wants them. It exits with 1 if a skill has
errors; warnings do no harm.

  -C, --workspace DIR   the workspace (default: the current directory)
      --json            print exactly the result, as JSON, on standard output
  -h, --help            show this

Examples:
  haft skills
  haft skills list --json | jq -r '.[].name'
  haft skills validate
  haft skills validate .agents/skills/pdf
  haft skills show pdf
  haft call skill name=pdf
`,
  options: {
    workspace: { type: "string", short: "C" },
    json: { type: "boolean" },
  },
  run: async (input, io) => {
    const [action = "list", ...positionals] = input.positionals;
    if (!Object.hasOwn(actions, action)) {
      const known = Object.keys(actions).join(", ");
      throw new UsageError(`skills can ${known}, not ${JSON.stringify(action)}.`);
    }
    const run = await (actions[action] as () => Promise<Action>)();
    return run({ ...input, positionals }, io);
  },
};
