import { defineTool, type Tool, ToolError } from "@haft/contract";
import { toPlainText } from "../bash/to-plain-text.ts";
import { type JobData, jobProperties, jobRequired, toJobData } from "./job-data.ts";
import { requireJob } from "./require-job.ts";

/** The arguments of `job_output`. */
export interface JobOutputArguments {
  job_id: string;
  since?: number;
}

/** How a job is, and what it printed. */
export interface JobOutputData extends JobData {
  output: string;
  next: number;
  omitted_bytes?: number;
}

/** Shows what a job printed. */
export const jobOutput: Tool<JobOutputArguments, JobOutputData> = defineTool({
  id: "job_output",
  description: [
    "Shows what a job of job_start has printed, whether it still runs, and its ports or exit code.",
    "With since only what came after: give the next of the last result. Does not wait for output.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      job_id: { type: "string", minLength: 1, description: "The id that job_start gave." },
      since: {
        type: "integer",
        minimum: 0,
        description: "The byte of its output to start at; all that is kept if left out.",
      },
    },
    required: ["job_id"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      ...jobProperties,
      output: { type: "string", description: "Standard output and error as they came." },
      next: { type: "integer", description: "What to give as since next time." },
      omitted_bytes: { type: "integer", description: "How much before it is no longer kept." },
    },
    required: [...jobRequired, "output", "next"],
    additionalProperties: false,
  },
  requires: {},
  kind: "read",
  source: "builtin",
  maxOutput: { bytes: 200 * 1024, field: "output" },
  execution: { resourceKeys: () => [{ type: "name", key: "jobs", mode: "read" }] },
  execute: async ({ job_id, since }, { shell: { jobs }, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Looked at nothing: aborted.");
    await requireJob(job_id, jobs);
    const { job, text, omittedBytes, next } = await jobs.output(job_id, since);
    const data: JobOutputData = { ...toJobData(job), output: toPlainText(text), next };
    if (omittedBytes > 0) data.omitted_bytes = omittedBytes;
    return data;
  },
});
