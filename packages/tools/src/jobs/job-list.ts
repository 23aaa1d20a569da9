import { defineTool, type Tool, ToolError } from "@haft/contract";
import { type JobData, jobProperties, jobRequired, toJobData } from "./job-data.ts";

/** `job_list` has no arguments. */
export type JobListArguments = Record<never, never>;

/** The result of `job_list`. */
export interface JobListData {
  jobs: JobData[];
}

/** The `job_list` tool: lists the session's jobs. */
export const jobList: Tool<JobListArguments, JobListData> = defineTool({
  id: "job_list",
  description:
    "Lists the session's background jobs, oldest first, with state, command, ports and exit code.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  output: {
    type: "object",
    properties: {
      jobs: {
        type: "array",
        items: {
          type: "object",
          properties: jobProperties,
          required: jobRequired,
          additionalProperties: false,
        },
      },
    },
    required: ["jobs"],
    additionalProperties: false,
  },
  requires: {},
  kind: "read",
  source: "builtin",
  execution: { resourceKeys: () => [{ type: "name", key: "jobs", mode: "read" }] },
  execute: async (_, { shell, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was listed.");
    const jobs = await shell.jobs.list();
    return { jobs: jobs.map(toJobData) };
  },
});
