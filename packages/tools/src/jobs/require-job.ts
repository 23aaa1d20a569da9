import { type Job, type Jobs, ToolError } from "@haft/contract";

/** Returns the session's job with this ID. If there is none, the error lists the existing ones. */
export async function requireJob(id: string, jobs: Jobs): Promise<Job> {
  const all = await jobs.list();
  const job = all.find((each) => each.id === id);
  if (job !== undefined) return job;
  const known = all.map((each) => `${each.id} (${each.state})`).join(", ");
  throw new ToolError(
    "not-found",
    `There is no job ${JSON.stringify(id)} in this session. ${known === "" ? "It has no jobs." : `Its jobs: ${known}.`}`,
    known === "" ? { remedy: "Use `job_start` to start one." } : {},
  );
}
