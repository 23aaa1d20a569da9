import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "@haft/contract";
import { isRunning, type ProcessIdentity } from "../../locks/process-identity.ts";
import { readSmallFile, replaceSmallFile } from "../../session/small-file.ts";

/** What a keeper of jobs leaves in the session's directory, for whoever looks for it. */
export interface KeeperFile {
  readonly version: 1;
  readonly owner: ProcessIdentity;
  /** Where it listens, and what it must be told first. */
  readonly socket: string;
  readonly token: string;
  readonly jobs: readonly Job[];
}

/** Where a session's keeper is found. */
export function locateKeeperFile(directory: string): string {
  return join(directory, "jobs.json");
}

/** What a keeper left in a session's directory. */
export function readKeeperFile(directory: string): KeeperFile | undefined {
  const text = readSmallFile(locateKeeperFile(directory));
  if (text === undefined) return undefined;
  try {
    const file = JSON.parse(text) as KeeperFile;
    return file.version === 1 ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves it there, for this user only. */
export function writeKeeperFile(directory: string, file: KeeperFile): void {
  replaceSmallFile(locateKeeperFile(directory), JSON.stringify(file));
}

/** Takes it away. */
export function removeKeeperFile(directory: string): void {
  rmSync(locateKeeperFile(directory), { force: true });
}

/** Whether the keeper is still there. */
export function isKept({ owner }: KeeperFile): boolean {
  return isRunning(owner) !== false;
}

/** The jobs of a keeper that is gone: with it they ended. */
export function toEndedJobs({ jobs }: KeeperFile): readonly Job[] {
  return jobs.map((job) => {
    if (job.state === "ended") return job;
    const reason = "The process that kept it ended unexpectedly, and the job with it.";
    return { ...job, state: "ended", reason, processes: [] };
  });
}
