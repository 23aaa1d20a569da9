import { existsSync } from "node:fs";
import { join } from "node:path";
import { openThreads, type Threads } from "@haft/agent/threads";
import {
  type CallIndex,
  listOpenSessions,
  listSessions,
  openCallIndex,
  type SessionSummary,
  stateDirectory,
} from "@haft/computer/internal";
import { toClientText } from "@haft/connect/internal";
import { ToolError } from "@haft/contract";
import { portable } from "@haft/core/internal";
import type { Io } from "../io.ts";
import { recordingOf } from "../open-recorder.ts";
import type { CommonOptions } from "../options/common-options.ts";

/** The records of this machine, open for as long as a server runs. */
export interface MachineRecords {
  readonly io: Io;
  readonly threads: Threads;
  /** The options of the server. */
  readonly ownOptions: CommonOptions;
  /** Returns the index with all calls that are recorded now. */
  index(): Promise<CallIndex>;
  /** Returns the sessions with a directory. */
  kept(): readonly SessionSummary[];
  /** Returns the IDs of the sessions that running processes have open. */
  live(): ReadonlySet<string>;
  /** Returns a session's workspace and directory. Throws `not-found` if the session is unknown. */
  require(session: string): MachineLocation;
  /** Returns options for a session of a workspace. Throws unless sessions worked there and it exists. */
  optionsFor(workspace: string, session?: string): CommonOptions;
  close(): void;
}

/** Where a session works and is stored. */
export interface MachineLocation {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  /** Absent if the session stored nothing but messages. */
  readonly directory: string | undefined;
}

/** Opens the records. `options` are those of the server. */
export async function openMachineRecords(
  options: CommonOptions,
  serverIo: Io,
): Promise<MachineRecords> {
  // Warnings about other workspaces are not for the log of the server.
  const io: Io = { ...serverIo, out: () => {}, error: () => {}, interactive: false };
  const state = stateDirectory(io.environment);
  const recordings = recordingOf(io);
  const kept = (): readonly SessionSummary[] => listSessions(state);
  let roots = new Map<string, readonly string[]>();
  const rootsOf = (session: string): readonly string[] => {
    if (!roots.has(session)) {
      roots = new Map(kept().map(({ id, workspace }) => [id, [workspace]]));
      if (!roots.has(session)) roots.set(session, []);
    }
    return roots.get(session) ?? [];
  };
  const threads = await openThreads(join(state, "threads.db"), { recordings });
  const index = await openCallIndex({
    path: join(state, "call-index.db"),
    recordings,
    render: ({ session, result }) => toClientText(result, rootsOf(session)),
  }).catch((error) => {
    threads.close();
    throw error;
  });
  const require: MachineRecords["require"] = (session) => {
    const found = kept().find(({ id }) => id === session);
    const known = found ?? threads.find(session);
    if (known === undefined) {
      throw new ToolError("not-found", `There is no session ${JSON.stringify(session)}.`);
    }
    const { id, name, workspace } = known;
    return { id, name, workspace, directory: found?.directory };
  };
  return {
    io,
    threads,
    ownOptions: options,
    kept,
    require,
    index: async () => {
      await index.takeIn();
      return index;
    },
    live: () => new Set([...listOpenSessions(state), ...threads.held()]),
    optionsFor: (workspace, session = "default") => {
      const isKnown =
        workspace === options.workspace ||
        kept().some((one) => one.workspace === workspace) ||
        threads.list({ workspace, limit: 1, opaque: true }).length > 0;
      if (!isKnown) {
        throw new ToolError("not-found", `No session worked in ${JSON.stringify(workspace)}.`);
      }
      if (!existsSync(workspace)) {
        throw new ToolError("conflict", `The workspace ${workspace} no longer exists.`);
      }
      const isOwn = workspace === options.workspace;
      const noRoots = { writable: [], readOnly: [] };
      return {
        ...options,
        ...{ workspace, session, dialect: portable, yes: false, headless: true, rules: [] },
        ...(!isOwn && { roots: noRoots, mounts: [], published: undefined, simulate: false }),
      };
    },
    close: () => {
      index.close();
      threads.close();
    },
  };
}
