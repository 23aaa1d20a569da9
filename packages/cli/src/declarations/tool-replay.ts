import type { CommandGroup, OptionDeclaration } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

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
};
