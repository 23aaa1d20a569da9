import { type Job, type Jobs, ToolError } from "@haft/contract";

/** The session's job of this id; where there is none, the error names those there are. */
export async function requireJob(id: string, jobs: Jobs): Promise<Job> {
  const all = await jobs.list();
  const job = all.find((each) => each.id === id);
  if (job !== undefined) return job;
  const known = all.map((each) => `${each.id} (${each.state})`).join(", ");
  throw new ToolError(
    "not-found",
    `There is no job ${JSON.stringify(id)} in this session. ${known === "" ? "There are none; job_start starts one." : `There are: ${known}.`}`,
  );
}
