import { join } from "node:path";
import { openThreads, type Threads } from "@haft/agent/threads";
import { listSessions, stateDirectory } from "@haft/computer";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { findSession } from "../../options/find-session.ts";

/** What was said and done in the sessions of this machine. */
export interface SessionRecords {
  readonly threads: Threads;
  /** The id of a session that a person named: by its name in this workspace, or by its whole id. */
  find(wanted: string): string;
}

/** Opens the records for as long as some work takes. */
export async function withRecords<T>(
  options: CommonOptions,
  io: Io,
  work: (records: SessionRecords) => T | Promise<T>,
): Promise<T> {
  const state = stateDirectory(io.environment);
  const threads = await openThreads(join(state, "threads.db"), {
    recordings: join(state, "recordings.db"),
  });
  const find = (wanted: string): string => {
    // A thread in which no call was made has left nothing but itself.
    const id = wanted.includes("/")
      ? wanted
      : openComputer({ ...options, session: wanted }, io).openSession(wanted).id;
    return threads.find(id) === undefined ? findSession(wanted, options, io) : id;
  };
  try {
    return await work({ threads, find });
  } finally {
    threads.close();
  }
}

/** Whether a session of this id is known, with a thread or without. */
export function isKnown(id: string, { threads }: SessionRecords, io: Io): boolean {
  if (threads.find(id) !== undefined) return true;
  return listSessions(stateDirectory(io.environment)).some((session) => session.id === id);
}
