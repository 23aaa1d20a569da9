import type { Command } from "../command.ts";
import { commonOnly } from "./option-groups.ts";

/** `haft trust` */
export const trust: Command = {
  details: `
Without --list and --remove it shows everything that is not trusted, and asks about each item.

A repository can come from anyone. These files of a workspace have no effect until you have reviewed and
trusted them: rules in .haft/rules that allow something, .haft/settings.json, agents in .haft/agents,
skills with commands or scripts, scripts in .haft/toolbox, mount plans, the modules that they load
from the workspace, hook files that you imported, and the scripts of the workspace that hooks run. Rules that deny or ask, and stricter limits, apply immediately.

You trust exactly the content that you were shown. When it changes, you are asked again and shown the
difference; for rules, only the new lines. Answers are stored outside the workspace and apply only to
this directory: a copy or another worktree needs its own. Trust never lets a project's rules change git
hooks, git configuration or other protected files.

Without a terminal it shows everything and trusts nothing, unless --yes is given. It exits with 1 if
something remains untrusted. To trust everything for one run, such as in CI, pass --trust-project to
the command that runs.`,
  arguments: [
    {
      name: "PATH",
      description:
        "A file or directory from the list, a mount plan, the directory of a module, or a script to run as a tool. Default: everything",
      optional: true,
      repeats: true,
      completes: "file",
    },
  ],
  options: {
    yes: { description: "Trust what is shown, without asking" },
    list: { description: "Show your answers so far" },
    remove: { description: "Forget answers: those for PATH, or all of this workspace" },
  },
  groups: [commonOnly("workspace", "hooks", "json")],
  examples: [
    "haft trust",
    "haft trust .haft/rules",
    "haft trust --yes plan.yaml",
    "haft trust --hooks .claude/settings.json",
    "haft trust --list",
    "haft trust --remove .haft/toolbox/deploy",
    "haft trust --json | jq -r '.untrusted[].path'",
    "haft call tb__deploy --trust-project",
  ],
  load: async () => (await import("../commands/trust.ts")).reviewTrust,
};
