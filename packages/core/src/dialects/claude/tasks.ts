import type { DialectAlias } from "../dialect.ts";
import { leaveOut } from "../shared/given.ts";
import { describeJob, describeJobOutput, type JobData } from "../shared/job-data.ts";
import { inWords } from "../shared/words.ts";
import { words } from "./words.ts";

/** `TaskOutput`, and what it was called before: what a command in the background printed. */
export const taskOutput: readonly DialectAlias[] = [
  { ...toOutputAlias("TaskOutput", "task_id"), suits: isOfCommand },
  {
    ...toAgentAlias("TaskOutput", "task_output"),
    toArguments: ({ task_id, block }) => leaveOut({ task_id, wait: block }),
  },
  { ...toOutputAlias("BashOutput", "bash_id"), hidden: true },
];

/** `TaskStop`, and what it was called before: ends a command in the background. */
export const taskStop: readonly DialectAlias[] = [
  { ...toStopAlias("TaskStop", "task_id"), suits: isOfCommand },
  { ...toAgentAlias("TaskStop", "task_stop"), toArguments: ({ task_id }) => ({ task_id }) },
  { ...toStopAlias("KillShell", "shell_id"), hidden: true },
];

// The same names stand for agents in the background, whose ids are of another form.
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
      "Shows all that a command in the background has printed, and whether it still runs. Does not wait for it.",
    parameters: {
      type: "object",
      properties: { [id]: { type: "string", minLength: 1, description: "As Bash told it." } },
      required: [id],
    },
    toArguments: (given) => ({ job_id: given[id] }),
    toData: (data) => `${describeJob(data as JobData)}\n${describeJobOutput(data as JobData)}`,
    toErrorText: ({ message }) => inWords(message, words),
  };
}

function toStopAlias(name: string, id: string): DialectAlias {
  return {
    name,
    tool: "job_stop",
    description: "Ends a command in the background with everything that it started.",
    parameters: {
      type: "object",
      properties: { [id]: { type: "string", minLength: 1, description: "As Bash told it." } },
      required: [id],
    },
    toArguments: (given) => ({ job_id: given[id] }),
    toData: (data) => (data as JobData).message,
    toErrorText: ({ message }) => inWords(message, words),
  };
}
