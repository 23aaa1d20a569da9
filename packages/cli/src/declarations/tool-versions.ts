import type { CommandGroup } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";
import { existing, version } from "./tool-options.ts";

const groups = [platformOptions];

/** The subcommands of `haft tool` that choose which version callers get. */
export const versionCommands: CommandGroup["subcommands"] = {
  promote: {
    summary: "Make a version the latest",
    details: `
Callers of latest get it from the next call on. A candidate becomes an ordinary version. Ranges such
as '>=1' still choose the highest version. \`haft tool show\` lists who moved latest and when.`,
    arguments: [existing, version],
    groups,
    examples: ["haft tool promote word_count 1.3.0"],
    load: onPlatform(async () => (await import("../commands/tool/latest.ts")).promoteTool),
  },
  rollback: {
    summary: "Make the version before the latest one again",
    details: "Twice goes two versions back. It works while another version is being published.",
    arguments: [existing],
    groups,
    examples: ["haft tool rollback word_count"],
    load: onPlatform(async () => (await import("../commands/tool/latest.ts")).rollBackTool),
  },
  restore: {
    summary: "Restore a deprecated tool or version",
    details: `
A tool is restored with the versions that were deprecated together with it. Restoring a version does
not move latest.`,
    arguments: [
      existing,
      { ...version, optional: true, description: "Version to restore. Default: the tool itself" },
    ],
    groups,
    examples: ["haft tool restore word_count", "haft tool restore word_count 1.2.0"],
    load: onPlatform(async () => (await import("../commands/tool/latest.ts")).restoreTool),
  },
  canary: {
    summary: "Send a part of the calls of latest to another version",
    details: `
The platform takes the version back by itself when it breaks the rule of --abort-if, after at least 3
calls and unless chance explains its errors. Calls of one conversation get the same version. Without
VERSION, shows the tool's canary. A move of latest ends it.`,
    arguments: [
      existing,
      { ...version, optional: true, description: "Version to try, such as a candidate" },
      { name: "PART", description: "Part of the calls, 1% to 99%", optional: true },
    ],
    options: {
      "abort-if": {
        value: "RULE",
        description: "'errors > 2x' (twice the error rate of the latest version) or 'errors > 5%'",
        default: "errors > 2x",
      },
      stop: { description: "Stop the canary" },
    },
    groups,
    examples: [
      "haft tool canary word_count 1.3.0 10% --abort-if 'errors > 2x'",
      "haft tool canary word_count",
      "haft tool canary word_count --stop",
    ],
    load: onPlatform(async () => (await import("../commands/tool/canary.ts")).runCanary),
  },
  deprecate: {
    summary: "Deprecate a tool, or some of its versions",
    details: `
They can't be invoked any more. If latest was one of the versions, it goes back to the version before.
\`haft tool restore\` undoes this. A range never includes a candidate: name it exactly.`,
    arguments: [existing],
    options: {
      versions: { value: "RANGE", description: "Only these versions, such as '<2'" },
      yes: { description: "Do not ask" },
    },
    groups,
    examples: ["haft tool deprecate word_count --versions '<2' --yes"],
    load: onPlatform(async () => (await import("../commands/tool/deprecate.ts")).deprecateTool),
  },
};
