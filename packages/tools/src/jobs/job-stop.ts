import { defineTool, type Tool, ToolError } from "@haft/contract";
import { type JobData, jobProperties, jobRequired, toJobData } from "./job-data.ts";
import { requireJob } from "./require-job.ts";

/** The arguments of `job_stop`. */
export interface JobStopArguments {
  job_id: string;
}

/** The result of `job_stop`. */
export interface JobStopData extends JobData {
  message: string;
}

/** The `job_stop` tool: stops a job. */
export const jobStop: Tool<JobStopArguments, JobStopData> = defineTool({
  id: "job_stop",
  description: "Stops a job and every process it started.",
  parameters: {
    type: "object",
    properties: {
      job_id: {
        type: "string",
        minLength: 1,
        description: "ID of the job.",
      },
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
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was stopped.");
    const { state } = await requireJob(job_id, jobs);
    const stopped = await jobs.stop(job_id);
    const message = state === "running" ? `Stopped ${job_id}.` : `${job_id} had already ended.`;
    return { ...toJobData(stopped), message };
  },
});
