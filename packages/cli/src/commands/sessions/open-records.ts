import { join } from "node:path";
import { openThreads, type Threads } from "@haft/agent/threads";
import { listSessions, stateDirectory } from "@haft/computer/internal";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { UsageError } from "../../usage-error.ts";

/** The recorded messages and calls of this machine's sessions. */
export interface SessionRecords {
  readonly threads: Threads;
  /** Returns the ID of a session, from its name in this workspace or its full ID. */
  find(wanted: string): string;
}

/** Opens the records for the time of some work. */
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
    // A thread without calls is recorded only in the threads.
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
export function isKnown(id: string, { threads }: Pick<SessionRecords, "threads">, io: Io): boolean {
  if (threads.find(id) !== undefined) return true;
  return listSessions(stateDirectory(io.environment)).some((session) => session.id === id);
}

/** Returns the ID of a session, from its name in this workspace or its full ID. */
function findSession(wanted: string, options: CommonOptions, io: Io): string {
  const id = wanted.includes("/")
    ? wanted
    : openComputer({ ...options, session: wanted }, io).openSession(wanted).id;
  const known = listSessions(stateDirectory(io.environment));
  if (known.some((session) => session.id === id)) return id;
  throw new UsageError(
    `There is no session ${JSON.stringify(wanted)} here. To list all sessions: haft sessions list --all`,
  );
}
