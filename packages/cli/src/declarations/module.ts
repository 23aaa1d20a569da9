import type { Command } from "../command.ts";
import { withCommonOptions } from "./loaders.ts";
import { commonOnly } from "./option-groups.ts";

/** `haft module` */
export const module: Command = {
  details: `
A module is a package that exports mount(coordinator, config), in TypeScript, JavaScript or Python.
--mount PLAN adds the modules of a plan to a session; see docs/guides/modules.md.`,
  subcommands: {
    init: {
      summary: "Create a module with a tool, a test and a README",
      arguments: [
        {
          name: "NAME",
          description:
            "Name of the module and its folder: up to 60 lowercase letters and digits, with - between words",
        },
      ],
      options: { python: { description: "Create it in Python instead of TypeScript" } },
      groups: [commonOnly("workspace", "json")],
      examples: [
        "haft module init word-count",
        "haft module init word-count --python -C ~/modules",
      ],
      load: withCommonOptions(async () => (await import("../commands/module/init.ts")).initModule),
    },
    "python-path": {
      summary: "Print the directory with amplifier_core, to run a Python module's own tests",
      arguments: [],
      options: {},
      groups: [],
      examples: ['PYTHONPATH="$(haft module python-path)" python3 -m pytest'],
      load: async () => (await import("../commands/module/python-path.ts")).printPythonPath,
    },
    validate: {
      summary: "Check whether a mount plan can use a module",
      details: `
Mounts the module and calls its tools with wrong input, so use it only on modules that you would mount
anyway. Exits with 0 if no required check failed, else with 1.`,
      arguments: [{ name: "DIR", description: "Directory of the module", completes: "directory" }],
      options: {
        type: {
          value: "TYPE",
          description: "What the module provides: tool",
          required: true,
          choices: ["tool"],
        },
        config: { value: "JSON", description: "Object that mount receives", default: "{}" },
      },
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
      examples: [
        "haft module validate ./word-count --type tool",
        `haft module validate ./word-count --type tool --config '{"limit": 5}' --json`,
        "haft call word_count text='one two' --mount plan.yaml",
      ],
      load: withCommonOptions(
        async () => (await import("../commands/module/validate.ts")).validateModuleAt,
      ),
    },
  },
};
