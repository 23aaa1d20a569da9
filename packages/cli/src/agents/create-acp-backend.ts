import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { AgentLimits } from "@haft/agent";
import type { AcpBackend, AcpOpen } from "@haft/agent/acp";
import { discoverManifests } from "@haft/agent/internal";
import { openThreads } from "@haft/agent/threads";
import { stateDirectory } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { type Host, headlessHost } from "@haft/core";
import { homeOf, type Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { approvingHost } from "../terminal/terminal-host.ts";
import { openTrust } from "../trust/open-trust.ts";
import { type AgentWorkspaceOptions, openAgents } from "./open-agents.ts";
import { openClientServers } from "./open-client-servers.ts";

/** Settings of every session of a client. */
export interface AcpChoice extends Pick<AgentWorkspaceOptions, "model" | "baseUrl"> {
  readonly agent: string | undefined;
  readonly limits: AgentLimits;
  readonly diagnostics: boolean | undefined;
  /** Whether to never ask, even if the client could. */
  readonly isHeadless: boolean;
}

/** The agents of a client's sessions. */
export interface OpenedBackend extends AcpBackend {
  close(): void;
}

/** Creates a backend that opens a workspace for each session of a client. */
export async function createAcpBackend(
  options: CommonOptions,
  io: Io,
  { agent, limits, diagnostics, isHeadless, ...choice }: AcpChoice,
): Promise<OpenedBackend> {
  const state = stateDirectory(io.environment);
  const threads = await openThreads(join(state, "threads.db"), {
    recordings: join(state, "recordings.db"),
  });
  const chooseHost = (host: Host): Host => {
    if (isHeadless) return headlessHost;
    return options.yes ? { ...approvingHost, question: (request) => host.question(request) } : host;
  };
  const nameOf = ({ session, cwd }: AcpOpen): string | undefined => {
    if (session === undefined) return undefined;
    const found = threads.find(session);
    if (found?.workspace === landingOf(cwd)) return found.name;
    // The same message for a session of another workspace: its existence is not revealed.
    throw new ToolError(
      "not-found",
      `There is no session ${JSON.stringify(session)} in ${cwd}. To list all sessions: haft sessions list --all`,
    );
  };
  return {
    open: async (open) => {
      const session = nameOf(open);
      const opened = await openAgents({ ...options, workspace: open.cwd }, io, {
        ...choice,
        moreRoots: open.directories,
        delegate: open.delegate,
        openMore: (place) => openClientServers(open.mcpServers, place),
      });
      try {
        const host = chooseHost(open.host);
        const started = await opened.start({ agent, session, limits, diagnostics, host });
        const { id } = started.thread.facts;
        return {
          id,
          agent: started,
          history: () => threads.entries(id),
          calls: () => opened.calls(started.session.name),
          fork: (upTo) => opened.fork(started.session.name, upTo).id,
          close: async () => {
            await started.close();
            await opened.close();
          },
        };
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
    list: (cwd) => threads.list({ workspace: cwd }),
    modes: (workspace) => {
      const { environment } = io;
      const trust = openTrust(workspace, io);
      const { list } = discoverManifests({ workspace, home: homeOf(io), environment, trust });
      return list()
        .filter(({ mode }) => mode !== "subagent")
        .map(({ name, description }) => ({ id: name, name, description }));
    },
    close: () => threads.close(),
  };
}

function landingOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    // A missing directory is reported when the workspace is opened.
    return directory;
  }
}
