import type { ArgumentDeclaration, OptionTable, Subcommand } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

const groups = [platformOptions];

const asyncInvocation: ArgumentDeclaration = {
  name: "ID",
  description: "ID of the invocation, as `haft tool invoke --async` printed it",
};

/** Options of `haft tool invoke` for asynchronous invocations. */
export const asyncOptions: OptionTable = {
  async: {
    description:
      "Start it and print its ID. It runs even if the server restarts, and can wait for days",
  },
  webhook: {
    value: "ID",
    description: "With --async: a webhook of the organization that is told of the end",
  },
  follow: {
    short: "f",
    description: "With --async: print its events until it ends, then the result",
  },
};

/** The subcommands of `haft tool` for asynchronous invocations. */
export const asyncSubcommands: Readonly<Record<"wait" | "cancel", Subcommand>> = {
  wait: {
    summary: "Wait for an asynchronous invocation and print its output",
    details: "Exits with 1 if the invocation failed.",
    arguments: [asyncInvocation],
    options: {
      follow: { short: "f", description: "Print its events on standard error meanwhile" },
      "no-wait": { description: "Print how far it is, and do not wait" },
    },
    groups,
    examples: [
      "haft tool wait 670a1234567890abcdef1234",
      "haft tool wait 670a1234567890abcdef1234 --no-wait --json",
    ],
    load: onPlatform(async () => (await import("../commands/tool/wait.ts")).waitForInvocation),
  },
  cancel: {
    summary: "Cancel an asynchronous invocation",
    arguments: [asyncInvocation],
    groups,
    examples: ["haft tool cancel 670a1234567890abcdef1234"],
    load: onPlatform(async () => (await import("../commands/tool/wait.ts")).cancelInvocation),
  },
};
