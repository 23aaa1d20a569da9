import { connect } from "node:net";
import { type Job, ToolError } from "@haft/contract";
import { isErrorCode } from "@haft/contract/internal";
import { readLines } from "../../broker/read-lines.ts";
import { createFileHolds } from "../../locks/hold-files.ts";
import type { JobBytes, KeeperReply, KeeperRequest } from "./job-messages.ts";
import { type JobTable, noJob } from "./job-table.ts";
import {
  isKept,
  type KeeperFile,
  locateKeeperFile,
  readKeeperFile,
  removeKeeperFile,
  toEndedJobs,
} from "./keeper-file.ts";
import { startKeeper } from "./start-keeper.ts";

/** The directory of a session, where its jobs are found. */
export interface JobsDirectory {
  readonly path: string;
  /** Directory of the locks between processes. */
  readonly locks: string;
  /** Creates the directory if necessary. */
  touch(): void;
}

/** Jobs in a separate keeper process, so that all processes of a session share them. */
export function keepJobsIn(directory: JobsDirectory): JobTable {
  const findKeeper = (): KeeperFile | undefined => {
    const file = readKeeperFile(directory.path);
    return file !== undefined && isKept(file) ? file : undefined;
  };
  const findEnded = (): readonly Job[] => {
    const file = readKeeperFile(directory.path);
    return file === undefined || isKept(file) ? [] : toEndedJobs(file);
  };
  /** The keeper's answer, if there is a keeper. */
  const ask = async <Answer>(
    request: KeeperRequest,
    signal?: AbortSignal,
  ): Promise<Answer | undefined> => {
    const keeper = findKeeper();
    return keeper === undefined ? undefined : askKeeper<Answer>(keeper, request, signal);
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
      // A keeper that was about to exit may be gone by now.
      for (let attempt = 0; attempt < 3; attempt++) {
        await requireKeeper();
        const job = await ask<Job>({ type: "start", order });
        if (job !== undefined) return job;
      }
      throw new ToolError("unavailable", "The process that keeps jobs does not answer. Try again.");
    },
    list: async () => (await ask<Job[]>({ type: "list" })) ?? findEnded(),
    output: async (id, { since, wait }, signal) => {
      const waited = wait && (await ask<JobBytes>({ type: "output", id, since, wait }, signal));
      const found = waited ?? (await ask<JobBytes>({ type: "output", id, since }));
      return found ?? { job: findJob(id, findEnded()), base64: "", from: since };
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

/** Sends a request to a job keeper. `undefined` if it no longer listens, or the signal fires. */
export function askKeeper<Answer>(
  { socket: path, token }: Pick<KeeperFile, "socket" | "token">,
  request: KeeperRequest,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
  const socket = connect(path);
  readLines<KeeperReply>(socket, (reply) => {
    if (reply.type === "answer") resolve(reply.answer as Answer);
    else reject(toError(reply));
    socket.destroy();
  });
  socket.on("error", () => resolve(undefined));
  socket.on("close", () => resolve(undefined));
  const giveUp = (): void => void socket.destroy();
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp, { once: true });
  socket.write(`${JSON.stringify({ token, ...request })}\n`);
  return promise;
}

function toError({ code, message }: Extract<KeeperReply, { type: "error" }>): ToolError {
  return new ToolError(isErrorCode(code) ? code : "internal", message);
}
