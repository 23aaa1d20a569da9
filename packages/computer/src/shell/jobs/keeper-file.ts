import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "@haft/contract";
import { isRunning, type ProcessIdentity } from "../../locks/process-identity.ts";
import { readSmallFile, replaceSmallFile } from "../../session/small-file.ts";

/** The file in a session's directory by which other processes find its job keeper. */
export interface KeeperFile {
  readonly version: 1;
  readonly owner: ProcessIdentity;
  /** Where it listens, and the token that it expects. */
  readonly socket: string;
  readonly token: string;
  readonly jobs: readonly Job[];
}

/** The path of a session's keeper file. */
export function locateKeeperFile(directory: string): string {
  return join(directory, "jobs.json");
}

/** Reads the keeper file of a session. */
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

/** Writes it, readable for this user only. */
export function writeKeeperFile(directory: string, file: KeeperFile): void {
  replaceSmallFile(locateKeeperFile(directory), JSON.stringify(file));
}

/** Removes it. */
export function removeKeeperFile(directory: string): void {
  rmSync(locateKeeperFile(directory), { force: true });
}

/** Whether the keeper still runs. */
export function isKept({ owner }: KeeperFile): boolean {
  return isRunning(owner) !== false;
}

/** The jobs of a keeper that is gone: they ended with it. */
export function toEndedJobs({ jobs }: KeeperFile): readonly Job[] {
  return jobs.map((job) => {
    if (job.state === "ended") return job;
    const reason = "The process that kept it ended unexpectedly, and the job with it.";
    return { ...job, state: "ended", reason, processes: [] };
  });
}
