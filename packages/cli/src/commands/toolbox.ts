import type { Command, CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

type Action = (input: CommandInput, options: CommonOptions, io: Io) => Promise<number>;

const actions: Readonly<Record<string, () => Promise<Action>>> = {
  list: async () => (await import("./toolbox/list.ts")).listToolbox,
  test: async () => (await import("./toolbox/test.ts")).testScript,
  make: async () => (await import("./toolbox/make.ts")).makeScript,
};

/** `haft toolbox` */
export const toolbox: Command = {
  help: `List, try and make tools that are scripts.

Usage: haft toolbox [list]                     every script, its tool, and what is wrong with it
       haft toolbox test NAME|FILE             ask a script anew what it does
       haft toolbox test NAME|FILE ARGUMENTS   the same, and run it
       haft toolbox make NAME                  write a script to start from

A toolbox is a directory of executables: those that HAFT_TOOLBOX names, separated by colons, else
.haft/toolbox in the workspace and ~/.config/haft/toolbox. Each becomes the tool tb__NAME.

With TOOLBOX_ACTION=describe a script prints what it does, within five seconds, as JSON
  {"name": "…", "description": "…", "args": {"dir": ["string", "where"], "all": ["boolean?", "…"]}}
(or with "inputSchema", a JSON Schema, instead of "args") or as lines
  name: …
  description: …
  dir: string where
With TOOLBOX_ACTION=execute it finds its arguments on standard input in the same form, JSON or
'key: value' lines, and prints its result. An exit code other than 0 is an error, with what is on
standard error. Scripts run in the sandbox, as commands do, and need the same permission.

test takes ARGUMENTS as haft call does, asks nobody, and exits with 0 if the script can be used and,
where it was run, succeeded; else with 1.

      --language NAME   with make: bash (default), python or node
      --text            with make: speak lines instead of JSON
      --user            with make: into your own directory instead of the workspace's

Examples:
  haft toolbox
  haft toolbox make deploy --language python
  haft toolbox make todo --text --user
  haft toolbox test deploy
  haft toolbox test deploy target=staging
  haft toolbox test ./scripts/report.py '{"days": 7}'
  haft call tb__deploy target=staging

${commonHelp}`,
  options: {
    ...commonOptions,
    language: { type: "string" },
    text: { type: "boolean" },
    user: { type: "boolean" },
  },
  run: async (input, io) => {
    const [action = "list", ...positionals] = input.positionals;
    if (!Object.hasOwn(actions, action)) {
      const known = Object.keys(actions).join(", ");
      throw new UsageError(`toolbox can ${known}, not ${JSON.stringify(action)}.`);
    }
    const run = await (actions[action] as () => Promise<Action>)();
    return run({ ...input, positionals }, readCommonOptions(input, io), io);
  },
};
