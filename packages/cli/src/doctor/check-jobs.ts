import { listKeptJobs } from "@haft/computer";
import type { Finding } from "./finding.ts";

/** Counts the background jobs that go on though no command waits for them. */
export function checkJobs(state: string): Finding {
  const jobs = listKeptJobs(state).flatMap(({ session, running }) =>
    running.map(({ command }) => `${command} (session ${session.name} of ${session.workspace})`),
  );
  const detail = jobs.length === 0 ? "none running" : `${jobs.length} running: ${jobs.join("; ")}`;
  return { name: "jobs", found: true, required: false, detail };
}
