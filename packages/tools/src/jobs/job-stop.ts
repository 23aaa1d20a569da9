import { defineTool, type Tool, ToolError } from "@haft/contract";
import { type JobData, jobProperties, jobRequired, toJobData } from "./job-data.ts";
import { requireJob } from "./require-job.ts";

/** The arguments of `job_stop`. */
export interface JobStopArguments {
  job_id: string;
}

/** A job that no longer runs. */
export interface JobStopData extends JobData {
  message: string;
}

/** Ends a job. */
export const jobStop: Tool<JobStopArguments, JobStopData> = defineTool({
  id: "job_stop",
  description:
    "Ends a job of job_start with everything it started. Its output can still be read with job_output.",
  parameters: {
    type: "object",
    properties: {
      job_id: { type: "string", minLength: 1, description: "The id that job_start gave." },
    },
    required: ["job_id"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: { ...jobProperties, message: { type: "string" } },
    required: [...jobRequired, "message"],
    additionalProperties: false,
  },
  requires: {},
  kind: "execute",
  source: "builtin",
  execution: { resourceKeys: () => [{ type: "name", key: "jobs", mode: "write" }] },
  execute: async ({ job_id }, { shell: { jobs }, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Stopped nothing: aborted.");
    const { state } = await requireJob(job_id, jobs);
    const stopped = await jobs.stop(job_id);
    const message =
      state === "running" ? `Stopped ${job_id}.` : `${job_id} had ended by itself already.`;
    return { ...toJobData(stopped), message };
  },
});
