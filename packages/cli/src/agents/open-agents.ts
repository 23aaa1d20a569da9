import type { StartedAgent, StoredEntry, Threads } from "@haft/agent";
import type { AgentManifests } from "@haft/agent/internal";
import type { StartOptions, WorkspaceAgentsOptions } from "@haft/agent/internal/workspace-agents";
import type { PastCall } from "@haft/contract";
import type { Host } from "@haft/core";
import type { Io } from "../io.ts";
import { openWorkspace, type WorkspaceUse } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

/** A workspace that is open for Haft's own agents. */
export interface AgentWorkspace {
  /** The first root of the workspace. */
  readonly root: string;
  /** The host that the options ask for. */
  readonly host: Host;
  readonly manifests: Pick<AgentManifests, "list">;
  readonly threads: Pick<Threads, "list">;
  /** The conversation of a session. */
  entries(session: string): Iterable<StoredEntry>;
  /** The calls of a session that changed files, newest first. */
  calls(session: string): Promise<readonly PastCall[]>;
  /** Makes a session whose conversation is that of another one up to an entry. */
  fork(session: string, upTo: number): { readonly name: string; readonly id: string };
  /** Lists names and descriptions of skills. */
  listSkills(): readonly { readonly name: string; readonly description: string }[];
  /** Starts a primary agent. */
  start(options: AgentStartOptions): Promise<StartedAgent>;
  close(): Promise<void>;
}

/** Options for starting an agent in an open workspace. The default host is that of the workspace. */
export type AgentStartOptions = Omit<StartOptions, "openSession" | "graph" | "onRequest">;

/** Model of the agents and what the workspace adds to the options of the command line. */
export type AgentWorkspaceOptions = Pick<WorkspaceAgentsOptions, "model" | "baseUrl"> &
  Pick<WorkspaceUse, "delegate" | "openMore" | "moreRoots" | "asksForTrust">;

/** Opens the workspace that the options name for Haft's own agents. */
export async function openAgents(
  options: CommonOptions,
  io: Io,
  { model, baseUrl, ...use }: AgentWorkspaceOptions = {},
): Promise<AgentWorkspace> {
  const workspace = await openWorkspace(options, io, {
    ...use,
    serves: true,
    agent: { model, baseUrl },
  });
  const { agents, host, graph, onRequest, openSession, computer } = workspace;
  try {
    const root = computer.roots[0] as string;
    const threads = await agents.threads();
    return {
      root,
      host,
      manifests: await agents.manifests(),
      threads,
      entries: (session) => threads.entries(computer.openSession(session).id),
      calls: async (session) => (await computer.openSession(session).journal.calls?.()) ?? [],
      fork: (session, upTo) => {
        const name = `${session.replace(/-rewound-[0-9a-z]+$/u, "")}-rewound-${Date.now().toString(36)}`;
        const storage = computer.openSession(name);
        const from = computer.openSession(session).id;
        threads.fork(from, { id: storage.id, name, workspace: root }, upTo);
        storage.touch();
        return { name, id: storage.id };
      },
      listSkills: () => agents.skills().list(),
      start: (start) =>
        asUsage(() =>
          agents.start({ host, graph, openSession, ...(onRequest && { onRequest }), ...start }),
        ),
      close: () => workspace.close(),
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

// Errors that the person can fix in the command line or settings become usage errors.
async function asUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
