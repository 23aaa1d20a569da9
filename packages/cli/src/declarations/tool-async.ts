import type { ArgumentDeclaration, OptionTable, Subcommand } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";
import { existing, invocation } from "./tool-options.ts";

const groups = [platformOptions];

const asyncInvocation: ArgumentDeclaration = {
  name: "ID",
  description: "ID of the invocation, as `haft tool invoke --async` printed it",
};

/** Options of `haft tool invoke` for asynchronous invocations. */
const asyncOptions: OptionTable = {
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

/** The subcommands of `haft tool` that start, await and cancel invocations. */
export const asyncSubcommands: Readonly<Record<"invoke" | "wait" | "cancel", Subcommand>> = {
  invoke: {
    summary: "Run a version of a tool and print its output",
    details: `
Prints the output alone on standard output: unchanged in a pipe, with JSON indented in a terminal.
What the tool printed and errors go to standard error. With --json, prints the platform's response:
{"invocation_results": [{"succeeded", "output", "duration_ms", …}]}. A JSON array is several inputs,
up to 10. Exits with 1 if one failed.`,
    arguments: [
      existing,
      {
        name: "INPUT",
        description:
          "JSON, or pairs (key=value for text, key:=value for JSON), or - to read JSON from standard input",
        optional: true,
        repeats: true,
      },
    ],
    options: {
      version: {
        value: "VERSION",
        description: "1.2.3, latest, or a range such as '>=1,<2'",
        default: "latest",
      },
      ...invocation,
      "idempotency-key": {
        value: "KEY",
        description: "With the same key and input, the first answer is returned again",
      },
      status: { description: "Print the tool's status messages on standard error while it runs" },
      ...asyncOptions,
    },
    groups,
    examples: [
      `haft tool invoke word_count '{"text": "one two"}'`,
      "haft tool invoke word_count text='one two' --version '>=1,<2'",
      "haft tool invoke refund order=17 --async --follow",
    ],
    load: onPlatform(async () => (await import("../commands/tool/invoke.ts")).invokeTool),
  },
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
