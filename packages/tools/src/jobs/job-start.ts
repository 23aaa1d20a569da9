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

/** A job that was started, and what it has printed by now. */
export interface JobStartData extends JobData {
  output: string;
  next: number;
}

/** Starts a command that goes on in the background. */
export const jobStart: Tool<JobStartArguments, JobStartData> = defineTool({
  id: "job_start",
  description: [
    "Starts one command line with bash that goes on in the background, such as a server or a watcher, and gives its job_id.",
    "Waits a second at most: if it ends at once, its output and exit code are in the result.",
    "job_output shows what it prints, job_list its ports, job_stop ends it; it ends with the session.",
    "There is no terminal and standard input is closed. Do not append &. For commands that end by themselves use bash.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "The command line, in bash's syntax." },
      cwd: {
        type: "string",
        minLength: 1,
        description: "The directory to start in; the workspace root if left out.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      ...jobProperties,
      output: { type: "string", description: "What it has printed by now." },
      next: { type: "integer", description: "What to give job_output as since." },
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
    if (signal.aborted) throw new ToolError("cancelled", "Started nothing: aborted.");
    const { jobs } = shell;
    const started = await jobs.start({ command, ...(cwd !== undefined && { cwd }) });
    const { job, text, next } = await watchStart(started, jobs, signal);
    return { ...toJobData(job), output: toPlainText(text), next };
  },
});
