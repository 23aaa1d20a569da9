import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type CommandData, describeOddities, nameKeptFile } from "../shared/command-data.ts";
import { type Given, givenText, leaveOut } from "../shared/given.ts";
import { describeJob, describeJobOutput, type JobData, noBackground } from "../shared/job-data.ts";
import { words } from "./words.ts";

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1, description: "The command line, in bash's syntax." },
    description: { type: "string", description: "What the command does, for those who watch." },
    dir_path: {
      type: "string",
      description: "The directory to start in; the workspace root if left out.",
    },
    is_background: {
      type: "boolean",
      description: "Let it go on while other calls are made, such as a server.",
    },
  },
  required: ["command"],
};

/** `run_shell_command`: one command, waited for or left in the background. */
export const runShellCommand: readonly DialectAlias[] = [
  {
    name: "run_shell_command",
    tool: "bash",
    description: [
      "Runs a command with bash and gives its output, with the exit code if that is not 0 and the signal if one ended it.",
      "Neither cd nor variables persist from one call to the next: use dir_path.",
      "There is no terminal and no input. Do not append &: what a command leaves behind is ended with it; for servers set is_background, then see job_output and job_stop.",
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
      return [
        `Output: ${text}${describeOddities(data as CommandData, words)}`,
        ...(typeof code === "number" && code !== 0 ? [`Exit Code: ${code}`] : []),
        ...(signal === undefined ? [] : [`Signal: ${signal}`]),
      ].join("\n");
    },
  },
  {
    name: "run_shell_command",
    tool: "job_start",
    hidden: true,
    parameters,
    suits: isForBackground,
    toArguments: toCommand,
    toData: (data) => {
      const job = data as JobData;
      const remedy = ` job_output shows what it prints, job_stop ends it, both with job_id ${JSON.stringify(job.job_id)}.`;
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
