import type { Command } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

/** `haft tool-scaffold` */
export const toolScaffold: Command = {
  subcommands: {
    install: {
      summary:
        "Install the package that tools are written with, for editors, type checks and local runs",
      details: `
Looks for tools in and below the current directory: folders with a tool.json. Without --tool and --all
it asks which ones to use. Tools in Python need uv 0.10.2 or newer, or without uv Python 3.9 or newer with
venv and pip; tools in Node need npm 10 or newer. This is checked before anything is changed.`,
      options: {
        tool: {
          short: "t",
          value: "TOOL",
          description: "Install for this tool, named by its name or folder",
          multiple: true,
        },
        all: { description: "Install for every tool" },
        verbose: { short: "v", description: "Show the commands that run and their output" },
      },
      groups: [platformOptions],
      examples: [
        "haft tool-scaffold install",
        "haft tool-scaffold install -e myorg --tool my_tool",
        "haft tool-scaffold install -e myorg --all --verbose",
      ],
      load: onPlatform(
        async () => (await import("../commands/tool-scaffold/install.ts")).installScaffold,
      ),
    },
  },
};
