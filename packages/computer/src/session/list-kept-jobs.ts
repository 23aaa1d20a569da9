import type { Job } from "@haft/contract";
import { isKept, readKeeperFile } from "../shell/jobs/keeper-file.ts";
import { listSessions, type SessionSummary } from "./list-sessions.ts";

/** A session whose jobs a process of their own keeps. */
export interface KeptJobs {
  readonly session: SessionSummary;
  /** Those that run, as far as the keeper has told. */
  readonly running: readonly Job[];
}

/** The sessions below a state directory that have a keeper now, the last used first. */
export function listKeptJobs(stateDirectory: string): KeptJobs[] {
  return listSessions(stateDirectory).flatMap((session) => {
    const file = readKeeperFile(session.directory);
    if (file === undefined || !isKept(file)) return [];
    return [{ session, running: file.jobs.filter(({ state }) => state === "running") }];
  });
}
