import type { Job, JobOutput, Jobs, Runtime } from "@haft/contract";

const longestMs = 1_000;
const afterOutputMs = 300;
const betweenMs = 50;

/**
 * Looks at a job that was just started until it listens on a port, ends, or has printed and been
 * given a moment for more; so a command that fails at once is seen to.
 */
export async function watchStart(
  { id }: Job,
  jobs: Jobs,
  signal: Runtime["signal"],
): Promise<JobOutput> {
  let waited = 0;
  let limit = longestMs;
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
