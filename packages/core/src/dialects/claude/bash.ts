import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type CommandData, describeOddities, nameKeptFile } from "../shared/command-data.ts";
import { type Given, givenCount } from "../shared/given.ts";
import { describeJob, describeJobOutput, type JobData, noBackground } from "../shared/job-data.ts";
import { words } from "./words.ts";

const defaultTimeoutMs = 120_000;

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1, description: "The command line, in bash's syntax." },
    timeout: {
      type: "number",
      description: `End the command after so many milliseconds; ${defaultTimeoutMs} if left out. Not for the background.`,
    },
    description: { type: "string", description: "What the command does, for those who watch." },
    run_in_background: {
      type: "boolean",
      description: "Let it go on while other calls are made, such as a server.",
    },
  },
  required: ["command"],
};

/** `Bash`: one command, waited for or left in the background. */
export const bash: readonly DialectAlias[] = [
  {
    name: "Bash",
    tool: "bash",
    description: [
      "Runs one command line with bash and gives what it prints, with the exit code if that is not 0.",
      "Every call starts in the workspace root and afresh: neither cd nor variables persist.",
      "There is no terminal and no input. What a command leaves behind is ended with it; for servers set run_in_background, then see TaskOutput and TaskStop.",
      "Prefer Read, Grep, Glob and Edit to cat, grep, find and sed.",
    ].join(" "),
    parameters,
    settings: { head_bytes: 10_000, tail_bytes: 20_000 },
    suits: (given) => !isForBackground(given),
    toArguments: (given) => {
      if (isForBackground(given)) throw noBackground("run_in_background");
      const timeout = givenCount(given.timeout, 1) ?? defaultTimeoutMs;
      return { command: given.command, timeout_ms: Math.min(longestMs, timeout) };
    },
    toData: (data, _args, { outputPath }) => {
      const { output = "", exit_code: code, signal } = data as CommandData;
      const end = signal === undefined ? `Exit code ${code}\n` : `Ended by ${signal}\n`;
      const text = nameKeptFile(output, outputPath) || "(no output)";
      return `${code === 0 ? "" : end}${text}${describeOddities(data as CommandData, words)}`;
    },
  },
  {
    name: "Bash",
    tool: "job_start",
    hidden: true,
    parameters,
    suits: isForBackground,
    toArguments: ({ command }) => ({ command }),
    toData: (data) => {
      const job = data as JobData;
      const remedy = `TaskOutput shows what it prints, TaskStop ends it, both with task_id ${JSON.stringify(job.job_id)}.`;
      const next = job.state === "running" ? ` ${remedy}` : "";
      return `In the background: ${describeJob(job)}${next}\n${describeJobOutput(job)}`;
    },
  },
];

const longestMs = 24 * 60 * 60 * 1000;

function isForBackground({ run_in_background: background }: Given): boolean {
  return background === true || background === "true";
}
