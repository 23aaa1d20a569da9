import { type ToolAlias, ToolError } from "@haft/contract";
import type { BashArguments } from "./bash-arguments.ts";
import { liftDirectory } from "./lift-directory.ts";

/** Aliases of `bash`. */
export const bashAliases: readonly ToolAlias<BashArguments>[] = [
  {
    name: "Bash",
    description: [
      "Execute one shell command with bash and return its output and exit code.",
      "Neither cd nor environment variables persist between calls: use cwd.",
      "There is no terminal, no input and no background: a trailing & is removed.",
      "Output is cut to its last 50,000 characters. There is no timeout.",
      "To read, find and change files, use `read`, `grep`, `glob` and `edit`.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        cmd: { type: "string", description: "The shell command to execute" },
        cwd: { type: "string", description: "Working directory (absolute path)" },
      },
      required: ["cmd"],
    },
    toArguments: ({ cmd, cwd }) => place(cmd as string, cwd as string | undefined),
  },
  {
    name: "run_terminal_command",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The shell command to execute" },
        cmd: { type: "string", description: "Same as command" },
        cwd: { type: "string", description: "Working directory (absolute path)" },
      },
      anyOf: [{ required: ["command"] }, { required: ["cmd"] }],
    },
    toArguments: ({ command, cmd, cwd }) =>
      place((command ?? cmd) as string, cwd as string | undefined),
  },
];

function place(cmd: string, cwd: string | undefined): BashArguments {
  const placed = liftDirectory(cmd, cwd);
  if (placed.command !== "") return placed;
  throw new ToolError("invalid-arguments", "cmd is empty: there is nothing to run.");
}
