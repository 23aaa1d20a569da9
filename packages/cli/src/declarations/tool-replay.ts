import type { CommandGroup, OptionDeclaration } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";
import { existing, path } from "./tool-options.ts";

const groups = [platformOptions];

const set: OptionDeclaration = {
  value: "PATH=VALUE",
  description:
    "Put text into each input, or JSON with PATH:=JSON. PATH is such as order.items.0.id",
  multiple: true,
};

/** The subcommands of `haft tool` that use recorded invocations again. */
export const replayCommands: CommandGroup["subcommands"] = {
  retry: {
    summary: "Run recorded invocations again",
    details: `
Each becomes a new invocation that refers to the old one, and the old one to it. With --failed, those
that were repeated already are left out. History masks secrets and keeps neither user variables nor
conversations: invocations that had them are skipped, with the reason. Exits with 1 if one failed or
was skipped.`,
    arguments: [
      {
        name: "INVOCATION",
        description: "IDs of invocations. With --failed: name or ID of a tool. Default: all tools",
        optional: true,
        repeats: true,
      },
    ],
    options: {
      failed: { description: "All invocations that failed since --since" },
      since: { value: "TIME", description: "Such as 30m, 2h, 7d or 2026-01-31T12:00:00Z" },
      version: {
        value: "VERSION",
        description: "Version to run: 1.2.3, latest, or a range such as '>=1,<2'",
        default: "latest",
      },
      set,
      "without-context": {
        description: "Also repeat those that had user variables or a conversation, without them",
      },
      limit: {
        value: "N",
        description: "Maximum number of invocations, 1 to 1000",
        default: "100",
      },
      "dry-run": { description: "Only show what would run" },
    },
    groups,
    examples: [
      "haft tool retry word_count --failed --since 2h --dry-run",
      "haft tool retry word_count --failed --since 2h --version 1.3.0 --set region=eu",
      "haft tool retry 670a1234567890abcdef1234",
    ],
    load: onPlatform(async () => (await import("../commands/tool/retry.ts")).retryInvocations),
  },
  shadow: {
    summary: "Run recorded inputs against a version and compare the results",
    details: `
Runs in simulation mode: only simulationHosts are reached, and nothing is recorded. Outputs that are
JSON are compared as values, others as text. Invocations whose input history masks, or that had user
variables or a conversation, are skipped. Exits with 1 if a result differs.`,
    arguments: [existing],
    options: {
      candidate: { value: "VERSION", description: "Exact version to try", required: true },
      since: { value: "TIME", description: "Such as 30m, 24h, 7d or 2026-01-31T12:00:00Z" },
      ignore: {
        value: "PATH",
        description: "Leave this out of JSON outputs, such as items.*.updated_at",
        multiple: true,
      },
      against: {
        value: "WHAT",
        description: "Compare with recorded outputs, or with latest, also run in simulation mode",
        choices: ["recorded", "latest"],
        default: "recorded",
      },
      limit: {
        value: "N",
        description: "Maximum number of invocations, 1 to 1000",
        default: "100",
      },
    },
    groups,
    examples: [
      "haft tool shadow word_count --candidate 1.3.0 --since 24h",
      "haft tool shadow word_count --candidate 1.3.0 --since 24h --ignore took_ms --json",
    ],
    load: onPlatform(async () => (await import("../commands/tool/shadow.ts")).shadowTool),
  },
  retention: {
    summary: "Show or limit how long invocations are kept",
    details: `
What is beyond the limits is deleted for good, with what it printed. Without NAME, the limits are the
organization's, for all tools without limits of their own. \`historyDays\` of the server is never
exceeded. Without options, shows the limits that hold.`,
    arguments: [{ ...existing, optional: true }],
    options: {
      days: { value: "N", description: "Keep invocations for N days" },
      count: { value: "N", description: "Keep the last N invocations of each tool, up to 100000" },
      clear: { description: "Remove the limits of the tool, or of the organization" },
    },
    groups,
    examples: [
      "haft tool retention --days 90",
      "haft tool retention word_count --days 7 --count 10000",
      "haft tool retention word_count --clear",
    ],
    load: onPlatform(async () => (await import("../commands/tool/retention.ts")).changeRetention),
  },
  case: {
    summary: "Turn a recorded invocation into a test case of the project",
    details: `
Writes cases/NAME.json: the input, the result, and paths of the output to ignore. \`haft tool test\` and
\`haft tool publish\` run every case in simulation mode with the tool's variables, and refuse a version
with another result. Secrets are removed. Run it in a project's folder.`,
    arguments: [
      { name: "ACTION", description: "add", suggestions: ["add"] },
      { name: "INVOCATION", description: "ID of the invocation. `haft tool logs` shows it" },
    ],
    options: {
      name: { value: "NAME", description: "Name of the file", default: "the invocation's ID" },
      ignore: {
        value: "PATH",
        description: "Leave this out of a JSON output, such as items.*.updated_at",
        multiple: true,
      },
      path,
    },
    groups,
    examples: ["haft tool case add 670a1234567890abcdef1234 --name two_words --ignore took_ms"],
    load: onPlatform(async () => (await import("../commands/tool/case.ts")).addCase),
  },
};
