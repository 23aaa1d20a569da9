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
    "Starts a bash command line in the background, such as a server, and returns its job_id.",
    "You are notified when it ends; it stops with the session. `job_output` returns its output.",
    "What it changes can't be undone. There is no terminal and no input. Do not append &. For commands that finish on their own, use `bash`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "The command." },
      cwd: {
        type: "string",
        minLength: 1,
        description: "Default: the workspace.",
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
