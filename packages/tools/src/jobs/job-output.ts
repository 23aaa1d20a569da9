import { defineTool, type Tool, ToolError } from "@haft/contract";
import { toPlainText } from "../bash/to-plain-text.ts";
import { type JobData, jobProperties, jobRequired, toJobData } from "./job-data.ts";
import { requireJob } from "./require-job.ts";

/** The arguments of `job_output`. */
export interface JobOutputArguments {
  job_id: string;
  since?: number;
  wait_for?: "exit" | "output";
  wait_ms?: number;
}

/** The result of `job_output`. */
export interface JobOutputData extends JobData {
  output: string;
  next: number;
  omitted_bytes?: number;
}

const defaultWaitMs = 60_000;
const maxWaitMs = 10 * 60_000;

/** The `job_output` tool: returns the output of a job. */
export const jobOutput: Tool<JobOutputArguments, JobOutputData> = defineTool({
  id: "job_output",
  description: [
    "Returns a job's output, whether it is running, and its ports or exit code.",
    "For new output only, pass next of the last result as since.",
    "Returns at once unless wait_for is set; you are notified when a job ends.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      job_id: {
        type: "string",
        minLength: 1,
        description: "ID of the job.",
      },
      since: {
        type: "integer",
        minimum: 0,
        description: "First byte. Default: all that is kept.",
      },
      wait_for: {
        enum: ["exit", "output"],
        description: "Wait for its end, or for output after since.",
      },
      wait_ms: {
        type: "integer",
        minimum: 1,
        maximum: maxWaitMs,
        description: `Default: ${defaultWaitMs}.`,
      },
    },
    required: ["job_id"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      ...jobProperties,
      output: { type: "string", description: "Standard output and error, interleaved." },
      next: { type: "integer", description: "Pass as since next time." },
      omitted_bytes: { type: "integer", description: "Earlier output that is no longer kept." },
    },
    required: [...jobRequired, "output", "next"],
    additionalProperties: false,
  },
  requires: {},
  kind: "read",
  source: "builtin",
  timeoutMs: "none",
  maxOutput: { bytes: 200 * 1024, field: "output" },
  execution: {
    // While it waits, the job can be stopped.
    resourceKeys: ({ wait_for, wait_ms }) =>
      wait_for === undefined && wait_ms === undefined
        ? [{ type: "name", key: "jobs", mode: "read" }]
        : [],
  },
  execute: async (args, { shell: { jobs }, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was read.");
    const { job_id, since, wait_for, wait_ms } = args;
    const { state } = await requireJob(job_id, jobs);
    const isWaiting = state === "running" && (wait_for !== undefined || wait_ms !== undefined);
    const wait = { until: wait_for ?? "exit", maxMs: wait_ms ?? defaultWaitMs };
    const seen = await jobs.output(job_id, since, isWaiting ? wait : undefined);
    if (signal.aborted) {
      throw new ToolError("cancelled", `Stopped waiting for ${job_id}. It is still running.`);
    }
    const { job, text, omittedBytes, next } = seen;
    const data: JobOutputData = { ...toJobData(job), output: toPlainText(text), next };
    if (omittedBytes > 0) data.omitted_bytes = omittedBytes;
    return data;
  },
});
