import type { Subcommand } from "../command.ts";

/** `haft tool dev` */
export const toolDev: Subcommand = {
  summary: "Run a project's examples in the sandbox after every change",
  details: `
Builds the project in DIR and runs it with each input in examples/*.json, and again whenever a file
changes. Shows output, what the tool printed, times, and how an output differs from the last one.
Works without a platform. Checks types, and leaves the tests to \`npm test\` and publishing.`,
  arguments: [
    {
      name: "DIR",
      description: "Folder of the project. Default: the current directory",
      optional: true,
    },
  ],
  options: {
    once: { description: "Run once. Exits with 1 if the build or an example failed" },
    input: {
      value: "FILE",
      description: "JSON file with an input, instead of those in examples/",
      multiple: true,
      completes: "file",
    },
    env: {
      short: "e",
      value: "NAME=VALUE",
      description: "Variable that the tool finds in its config",
      multiple: true,
    },
    "secret-env": {
      value: "NAME=VALUE",
      description: "Secret for the config. NAME=@VARIABLE takes it from the environment",
      multiple: true,
    },
    json: { description: "Print one line of JSON for each round" },
  },
  groups: [],
  examples: ["haft tool dev greeter", "haft tool dev --once --json"],
  load: async () => (await import("../commands/tool/dev.ts")).developTool,
};
