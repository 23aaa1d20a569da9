import type { Job } from "@haft/contract";
import { ToolError } from "@haft/contract";
import { createFileHolds } from "../../locks/hold-files.ts";
import { askKeeper } from "./ask-keeper.ts";
import { type JobBook, noJob } from "./job-book.ts";
import type { JobBytes, KeeperRequest } from "./job-messages.ts";
import {
  isKept,
  type KeeperFile,
  locateKeeperFile,
  readKeeperFile,
  removeKeeperFile,
  toEndedJobs,
} from "./keeper-file.ts";
import { startKeeper } from "./start-keeper.ts";

/** A session's directory, where its jobs are found again. */
export interface JobsDirectory {
  readonly path: string;
  /** Where processes keep out of each other's way. */
  readonly locks: string;
  /** Makes the directory if need be. */
  touch(): void;
}

/** Jobs that a process of their own keeps, so that all processes of a session have the same. */
export function keepJobsIn(directory: JobsDirectory): JobBook {
  const findKeeper = (): KeeperFile | undefined => {
    const file = readKeeperFile(directory.path);
    return file !== undefined && isKept(file) ? file : undefined;
  };
  const findEnded = (): readonly Job[] => {
    const file = readKeeperFile(directory.path);
    return file === undefined || isKept(file) ? [] : toEndedJobs(file);
  };
  /** The answer of the keeper, if there is one. */
  const ask = async <Answer>(request: KeeperRequest): Promise<Answer | undefined> => {
    const keeper = findKeeper();
    return keeper === undefined ? undefined : askKeeper<Answer>(keeper, request);
  };
  const requireKeeper = async (): Promise<void> => {
    directory.touch();
    const { signal } = new AbortController();
    const release = await createFileHolds(directory.locks)([locateKeeperFile(directory.path)], {
      signal,
    });
    try {
      if (findKeeper() === undefined) await startKeeper(directory.path);
    } finally {
      release();
    }
  };
  return {
    start: async (order) => {
      // One that was about to leave may be gone by now.
      for (let attempt = 0; attempt < 3; attempt++) {
        await requireKeeper();
        const job = await ask<Job>({ type: "start", order });
        if (job !== undefined) return job;
      }
      throw new ToolError("unavailable", "The process that keeps jobs does not answer. Try again.");
    },
    list: async () => (await ask<Job[]>({ type: "list" })) ?? findEnded(),
    output: async (id, since) =>
      (await ask<JobBytes>({ type: "output", id, since })) ?? {
        job: findJob(id, findEnded()),
        base64: "",
        from: since,
      },
    stop: async (id) => (await ask<Job>({ type: "stop", id })) ?? findJob(id, findEnded()),
    network: () => ask<number>({ type: "network" }),
    close: async () => {
      if ((await ask({ type: "close" })) === undefined && findKeeper() === undefined) {
        removeKeeperFile(directory.path);
      }
    },
  };
}

function findJob(id: string, jobs: readonly Job[]): Job {
  const job = jobs.find((each) => each.id === id);
  if (job !== undefined) return job;
  throw noJob(
    id,
    jobs.map((each) => each.id),
  );
}
