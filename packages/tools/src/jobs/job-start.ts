import { defineTool, type Tool, ToolError } from "@haft/contract";
import { expandHome } from "../bash/expand-home.ts";
import { toPlainText } from "../bash/to-plain-text.ts";
import { type JobData, jobProperties, jobRequired, toJobData } from "./job-data.ts";
import { watchStart } from "./watch-start.ts";

/** The arguments of `job_start`. */
export interface JobStartArguments {
  command: string;
  cwd?: string;
}

/** The result of `job_start`. */
export interface JobStartData extends JobData {
  output: string;
  next: number;
}

/** The `job_start` tool: starts a command in the background. */
export const jobStart: Tool<JobStartArguments, JobStartData> = defineTool({
  id: "job_start",
  description: [
    "Starts one bash command line in the background, such as a server or a watcher, and returns its job_id.",
    "Waits at most one second: if the command ends at once, the result has its output and exit code.",
    "It stops with the session. You are notified when it ends. `job_output` returns its output. `job_list` returns its ports. `job_stop` stops it.",
    "It works on the workspace itself, so what it changes can't be undone.",
    "There is no terminal and standard input is closed. Do not append &. For commands that finish on their own, use `bash`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "Command line in bash syntax." },
      cwd: {
        type: "string",
        minLength: 1,
        description: "Working directory. Default: the workspace root.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      ...jobProperties,
      output: { type: "string", description: "Output so far." },
      next: { type: "integer", description: "Pass to `job_output` as since." },
    },
    required: [...jobRequired, "output", "next"],
    additionalProperties: false,
  },
  requires: {
    fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
    net: { hosts: ["{allowed-hosts}"] },
    shell: [{ cmd: "*" }],
  },
  kind: "execute",
  source: "builtin",
  maxOutput: { bytes: 200 * 1024, field: "output" },
  execution: {
    resourceKeys: ({ command, cwd }) => [
      { type: "command", key: command, mode: "write", ...(cwd !== undefined && { cwd }) },
    ],
  },
  prepare: expandHome,
  execute: async ({ command, cwd }, { shell, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was started.");
    const { jobs } = shell;
    const started = await jobs.start({ command, ...(cwd !== undefined && { cwd }) });
    const { job, text, next } = await watchStart(started, jobs, signal);
    return { ...toJobData(job), output: toPlainText(text), next };
  },
});
