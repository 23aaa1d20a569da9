import type { Job, JobOutput, Jobs, Runtime } from "@haft/contract";

const maxMs = 1_000;
const afterOutputMs = 300;
const betweenMs = 50;

/**
 * Watches a new job until it listens on a port, ends, or has printed something and had a moment to
 * print more. So the result of `job_start` already shows a command that fails at once.
 */
export async function watchStart(
  { id }: Job,
  jobs: Jobs,
  signal: Runtime["signal"],
): Promise<JobOutput> {
  let waited = 0;
  let limit = maxMs;
  for (;;) {
    const seen = await jobs.output(id);
    const { state, processes } = seen.job;
    const listens = processes.some(({ ports }) => ports.length > 0);
    if (state === "ended" || listens || waited >= limit || signal.aborted) return seen;
    if (seen.text !== "") limit = Math.min(limit, waited + afterOutputMs);
    await pause(betweenMs);
    waited += betweenMs;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
