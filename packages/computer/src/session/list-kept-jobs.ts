import type { Job } from "@haft/contract";
import { isKept, readKeeperFile } from "../shell/jobs/keeper-file.ts";
import { listSessions, type SessionSummary } from "./list-sessions.ts";

/** A session whose jobs are kept by a keeper process. */
export interface KeptJobs {
  readonly session: SessionSummary;
  /** Its running jobs, as last reported by the keeper. */
  readonly running: readonly Job[];
}

/** Returns the sessions below a state directory that have a keeper now, most recently used first. */
export function listKeptJobs(stateDirectory: string): KeptJobs[] {
  return listSessions(stateDirectory).flatMap((session) => {
    const file = readKeeperFile(session.directory);
    if (file === undefined || !isKept(file)) return [];
    return [{ session, running: file.jobs.filter(({ state }) => state === "running") }];
  });
}
