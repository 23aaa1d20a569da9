import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type Given, givenCount, leaveOut } from "../shared/given.ts";
import {
  type CommandData,
  describeJob,
  describeJobOutput,
  describeOddities,
  type JobData,
  nameKeptFile,
  noBackground,
} from "../shared/shell.ts";

const defaultTimeoutMs = 120_000;

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1, description: "The command line, in bash syntax." },
    timeout: {
      type: "number",
      description: `Time limit in milliseconds. Default: ${defaultTimeoutMs}. Not used in the background.`,
    },
    description: { type: "string", description: "What the command does, shown to the user." },
    run_in_background: {
      type: "boolean",
      description: "Run in the background, for example a server. Default: false.",
    },
  },
  required: ["command"],
};

/** `Bash`: runs a command, in the foreground or background. */
export const bash: readonly DialectAlias[] = [
  {
    name: "Bash",
    tool: "bash",
    description: [
      "Runs a command line with bash and returns its output, and the exit code if it is not 0.",
      "Every call starts a new shell in the workspace root: cd and variables do not persist.",
      "There is no terminal and no input. Processes that a command leaves running are stopped; for servers set run_in_background, then use TaskOutput and TaskStop.",
      "Prefer Read, Grep, Glob and Edit to cat, grep, find and sed.",
    ].join(" "),
    parameters,
    settings: { head_bytes: 10_000, tail_bytes: 20_000 },
    suits: (given) => !isForBackground(given),
    toArguments: (given) => {
      if (isForBackground(given)) throw noBackground("run_in_background");
      const timeout = givenCount(given.timeout, 1) ?? defaultTimeoutMs;
      return { command: given.command, timeout_ms: Math.min(maxMs, timeout) };
    },
    toData: (data, _args, { outputPath }) => {
      const { output = "", exit_code: code, signal, job_id: job } = data as CommandData;
      const end = signal === undefined ? `Exit code ${code}\n` : `Ended by ${signal}\n`;
      const text = nameKeptFile(output, outputPath) || "(no output)";
      return `${code === 0 || job !== undefined ? "" : end}${text}${describeOddities(data as CommandData)}`;
    },
  },
  {
    name: "Bash",
    tool: "job_start",
    hidden: true,
    mention: "`Bash` with `run_in_background`",
    parameters,
    suits: isForBackground,
    toArguments: ({ command }) => ({ command }),
    toData: (data) => {
      const job = data as JobData;
      const remedy = `TaskOutput shows its output and TaskStop stops it, both with task_id ${JSON.stringify(job.job_id)}.`;
      const next = job.state === "running" ? ` ${remedy}` : "";
      return `In the background: ${describeJob(job)}${next}\n${describeJobOutput(job)}`;
    },
  },
];

const maxMs = 24 * 60 * 60 * 1000;

function isForBackground({ run_in_background: background }: Given): boolean {
  return background === true || background === "true";
}

/** `TaskOutput` and its older names: returns the output of a background command. */
export const taskOutput: readonly DialectAlias[] = [
  { ...toOutputAlias("TaskOutput", "task_id"), suits: isOfCommand },
  {
    ...toAgentAlias("TaskOutput", "task_output"),
    toArguments: ({ task_id, block }) => leaveOut({ task_id, wait: block }),
  },
  { ...toOutputAlias("BashOutput", "bash_id"), hidden: true },
];

/** `TaskStop` and its older names: stops a background command. */
export const taskStop: readonly DialectAlias[] = [
  { ...toStopAlias("TaskStop", "task_id"), suits: isOfCommand },
  { ...toAgentAlias("TaskStop", "task_stop"), toArguments: ({ task_id }) => ({ task_id }) },
  { ...toStopAlias("KillShell", "shell_id"), hidden: true },
];

// The same names work for background subagents, whose IDs have another form.
function isOfCommand({ task_id }: Readonly<Record<string, unknown>>): boolean {
  return !(typeof task_id === "string" && task_id.startsWith("task-"));
}

function toAgentAlias(name: string, tool: string): DialectAlias {
  return {
    name,
    tool,
    hidden: true,
    suits: (given) => !isOfCommand(given),
    parameters: {
      type: "object",
      properties: { task_id: { type: "string", minLength: 1 }, block: { type: "boolean" } },
      required: ["task_id"],
    },
  };
}

function toOutputAlias(name: string, id: string): DialectAlias {
  return {
    name,
    tool: "job_output",
    description:
      "Returns the output of a background command and whether it is still running. You are notified when it ends; set block only if you can't continue without it.",
    parameters: {
      type: "object",
      properties: {
        [id]: { type: "string", minLength: 1, description: "The ID that Bash returned." },
        block: { type: "boolean", description: "Wait until the command ends. Default: false." },
        timeout: {
          type: "number",
          description: "Maximum time to wait in milliseconds. Default: 60000.",
        },
      },
      required: [id],
    },
    toArguments: (given) => ({
      job_id: given[id],
      ...(given.block === true && toWait(given.timeout)),
    }),
    toData: (data) => `${describeJob(data as JobData)}\n${describeJobOutput(data as JobData)}`,
  };
}

function toWait(timeout: unknown): object {
  const limit = givenCount(timeout, 1);
  return leaveOut({ wait_for: "exit", wait_ms: limit && Math.min(maxWaitMs, limit) });
}

const maxWaitMs = 10 * 60 * 1000;

function toStopAlias(name: string, id: string): DialectAlias {
  return {
    name,
    tool: "job_stop",
    description: "Stops a background command and all processes it started.",
    parameters: {
      type: "object",
      properties: {
        [id]: { type: "string", minLength: 1, description: "The ID that Bash returned." },
      },
      required: [id],
    },
    toArguments: (given) => ({ job_id: given[id] }),
    toData: (data) => (data as JobData).message,
  };
}
