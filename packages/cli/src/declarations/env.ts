import type { Command } from "../command.ts";
import { jsonOption } from "./option-groups.ts";

/** `haft env` */
export const env: Command = {
  details: `
haft tool … --env NAME then uses that platform. They are stored in ~/.config/haft/environments.json (or in
XDG_CONFIG_HOME), which only you can read.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List the named platforms. Keys are never shown",
      options: jsonOption,
      examples: ["haft env list"],
      load: async () => (await import("../commands/env.ts")).listEnvironments,
    },
    add: {
      summary: "Add a platform under a name",
      arguments: [
        {
          name: "NAME",
          description: "Name of your choice: up to 60 letters, digits, _, - and dots",
        },
      ],
      options: {
        url: {
          value: "URL",
          description: "Address of the platform, such as https://tools.example.com",
          required: true,
        },
        "api-key": {
          value: "KEY",
          description:
            "API key. @VARIABLE takes it from the environment, - from standard input, so that it is on no command line",
          required: true,
        },
        organization: {
          value: "ID",
          description: "Only for platforms that cannot tell the organization from the key",
        },
        ...jsonOption,
      },
      examples: [
        "haft env add work --url https://tools.example.com --api-key @WORK_KEY",
        "haft tool list --env work",
      ],
      load: async () => (await import("../commands/env.ts")).addEnvironment,
    },
    remove: {
      summary: "Remove a named platform",
      arguments: [{ name: "NAME", description: "Name of the platform" }],
      options: jsonOption,
      examples: ["haft env remove work"],
      load: async () => (await import("../commands/env.ts")).removeEnvironment,
    },
  },
};
