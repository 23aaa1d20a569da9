import type { Command } from "../command.ts";
import { environmentHelp, environmentOptions } from "../environments/environment-options.ts";
import { reportPlatformErrors } from "../environments/report-platform-error.ts";
import { UsageError } from "../usage-error.ts";

/** `haft tool-scaffold` */
export const toolScaffold: Command = {
  help: `Install the package that tools are written with, for editors, type checks and local runs.

Usage: haft tool-scaffold install [-e ENV] [-t TOOL | --all]

Looks for tools below the current directory: folders with a tool.json. Without -t and --all it asks
which of them are meant. Tools in Python need uv 0.10.2 or newer, tools in Node npm 10 or newer; that
is looked at before anything is changed.

  -t, --tool TOOL       install for this tool: its name or folder, repeatable
      --all             install for every tool
  -v, --verbose         show the commands that run and what they print

Examples:
  haft tool-scaffold install
  haft tool-scaffold install -e myorg --tool my_tool
  haft tool-scaffold install -e myorg --all --verbose

${environmentHelp}`,
  options: {
    ...environmentOptions,
    tool: { type: "string", short: "t", multiple: true },
    all: { type: "boolean" },
    verbose: { type: "boolean", short: "v" },
  },
  run: async (input, io) => {
    const [action, ...positionals] = input.positionals;
    if (action !== "install") {
      throw new UsageError(
        action === undefined
          ? "Say what to do: haft tool-scaffold install"
          : `tool-scaffold can install, not ${JSON.stringify(action)}.`,
      );
    }
    const { installScaffold } = await import("./tool-scaffold/install.ts");
    const given = { ...input, positionals };
    return reportPlatformErrors(given, io, () => installScaffold(given, io));
  },
};
