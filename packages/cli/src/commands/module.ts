import type { Command } from "../command.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import { initModule } from "./module/init.ts";
import { validateModuleAt } from "./module/validate.ts";

const actions = { validate: validateModuleAt, init: initModule };

/** `haft module` */
export const module: Command = {
  help: `Make modules, and see whether they are what a mount plan can use.

Usage: haft module init NAME [--python]         make ./NAME: a module with a tool, a test and a README
       haft module validate DIR --type tool     run the checklist for modules with tools

A module is a package that exports mount(coordinator, config), in TypeScript, JavaScript or Python.
--mount PLAN brings the modules of a plan into a session; see docs/guides/modules.md.

validate mounts the module and gives its tools wrong input, so use it on modules that you would
mount anyway. It exits with 0 if no required point failed, else with 1.

      --type TYPE       what the module has: tool
      --config JSON     with validate: what mount gets, an object
      --python          with init: a module in Python instead of TypeScript

Examples:
  haft module init word-count
  haft module validate ./word-count --type tool
  haft module validate ./word-count --type tool --config '{"limit": 5}' --json
  haft module init word-count --python -C ~/modules
  haft call word_count text='one two' --mount plan.yaml

${commonHelp}`,
  options: {
    ...commonOptions,
    type: { type: "string" },
    config: { type: "string" },
    python: { type: "boolean" },
  },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const [action, ...positionals] = input.positionals;
    if (action === undefined || !Object.hasOwn(actions, action)) {
      const known = Object.keys(actions).join(" and ");
      throw new UsageError(
        action === undefined
          ? `module can ${known}.`
          : `module can ${known}, not ${JSON.stringify(action)}.`,
      );
    }
    return actions[action as keyof typeof actions]({ ...input, positionals }, options, io);
  },
};
