import type { Command } from "../command.ts";
import { withCommonOptions } from "./loaders.ts";
import { commonOnly, commonWithout } from "./option-groups.ts";

/** `haft toolbox` */
export const toolbox: Command = {
  details: `
A toolbox is a directory of executables: those that HAFT_TOOLBOX names, separated by colons, else
.haft/toolbox in the workspace and ~/.config/haft/toolbox. Each script becomes the tool tb__NAME. A
script in the workspace runs once you have trusted its content: haft trust.

With TOOLBOX_ACTION=describe a script prints its description within five seconds, as JSON
  {"name": "…", "description": "…", "args": {"dir": ["string", "where"], "all": ["boolean?", "…"]}}
(or with "inputSchema", a JSON Schema, instead of "args") or as lines
  name: …
  description: …
  dir: string where
With TOOLBOX_ACTION=execute it reads its arguments from standard input in the same form, JSON or
'key: value' lines, and prints its result. An exit code other than 0 is an error; its message is
standard error. Scripts run in the sandbox, as commands do, and need the same permission.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List every script with its tool, and what is wrong with it",
      groups: [
        commonOnly(
          "workspace",
          "session",
          "sandbox",
          "allow-host",
          "pass-env",
          "trust-project",
          "json",
        ),
      ],
      examples: ["haft toolbox"],
      load: withCommonOptions(
        async () => (await import("../commands/toolbox/list.ts")).listToolbox,
      ),
    },
    test: {
      summary: "Ask a script for its description and, with arguments, run it",
      details: `
Never prompts. Exits with 0 if the script can be used and, if it was run, succeeded; else with 1.`,
      arguments: [
        {
          name: "SCRIPT",
          description: "Name or file of the script. `haft toolbox` lists them",
          completes: "file",
        },
        {
          name: "ARGUMENTS",
          description: "Arguments to run it with, as for haft call",
          optional: true,
          repeats: true,
        },
      ],
      groups: [commonWithout("dialect", "mount", "published", "simulate")],
      examples: [
        "haft toolbox test deploy",
        "haft toolbox test deploy target=staging",
        `haft toolbox test ./scripts/report.py '{"days": 7}'`,
        "haft call tb__deploy target=staging",
      ],
      load: withCommonOptions(async () => (await import("../commands/toolbox/test.ts")).testScript),
    },
    make: {
      summary: "Write a script to start from",
      arguments: [
        { name: "NAME", description: "Name of the tool: up to 60 letters, digits, _ and -" },
      ],
      options: {
        language: {
          value: "NAME",
          description: "Language of the script",
          choices: ["bash", "python", "node"],
          default: "bash",
        },
        text: { description: "Exchange lines instead of JSON" },
        user: { description: "Write it to your own directory instead of the workspace's" },
      },
      groups: [commonOnly("workspace", "trust-project", "json")],
      examples: [
        "haft toolbox make deploy --language python",
        "haft toolbox make todo --text --user",
      ],
      load: withCommonOptions(async () => (await import("../commands/toolbox/make.ts")).makeScript),
    },
  },
};
