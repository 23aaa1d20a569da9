import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type Given, givenText, leaveOut } from "../shared/given.ts";
import {
  type CommandData,
  describeJob,
  describeJobOutput,
  describeOddities,
  type JobData,
  nameKeptFile,
  noBackground,
} from "../shared/shell.ts";

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1, description: "The command line, in bash syntax." },
    description: { type: "string", description: "What the command does, shown to the user." },
    dir_path: {
      type: "string",
      description: "Directory to run in. Default: the workspace root.",
    },
    is_background: {
      type: "boolean",
      description: "Run in the background, for example a server. Default: false.",
    },
  },
  required: ["command"],
};

/** `run_shell_command`: runs a command, in the foreground or background. */
export const runShellCommand: readonly DialectAlias[] = [
  {
    name: "run_shell_command",
    tool: "bash",
    description: [
      "Runs a command with bash and returns its output, the exit code if it is not 0, and the signal if one ended it.",
      "cd and variables do not persist between calls: use dir_path.",
      "There is no terminal and no input. Do not append &: processes that a command leaves running are stopped. For servers set is_background, then use job_output and job_stop.",
    ].join(" "),
    parameters,
    settings: { head_bytes: 10_000, tail_bytes: 30_000 },
    suits: (given) => !isForBackground(given),
    toArguments: (given) => {
      if (isForBackground(given)) throw noBackground("is_background");
      return toCommand(given);
    },
    toData: (data, _args, { outputPath }) => {
      const { output, exit_code: code, signal } = data as CommandData;
      const text = nameKeptFile(output || "(empty)", outputPath);
      // Before the output, which may be long and cut.
      return [
        ...(typeof code === "number" && code !== 0 ? [`Exit Code: ${code}`] : []),
        ...(signal === undefined ? [] : [`Signal: ${signal}`]),
        `Output: ${text}${describeOddities(data as CommandData)}`,
      ].join("\n");
    },
  },
  {
    name: "run_shell_command",
    tool: "job_start",
    hidden: true,
    mention: "`run_shell_command` with `is_background`",
    parameters,
    suits: isForBackground,
    toArguments: toCommand,
    toData: (data) => {
      const job = data as JobData;
      const remedy = ` job_output shows its output and job_stop stops it, both with job_id ${JSON.stringify(job.job_id)}.`;
      const next = job.state === "running" ? remedy : "";
      return `In the background: ${describeJob(job)}${next}\n${describeJobOutput(job)}`;
    },
  },
];

function toCommand({ command, dir_path, directory }: Given): unknown {
  return leaveOut({ command, cwd: givenText(dir_path) ?? givenText(directory) });
}

function isForBackground({ is_background: background }: Given): boolean {
  return background === true || background === "true";
}
