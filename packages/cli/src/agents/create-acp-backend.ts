import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type AgentLimits, discoverManifests } from "@haft/agent";
import type { AcpBackend, AcpOpen } from "@haft/agent/acp";
import { openThreads } from "@haft/agent/threads";
import { stateDirectory } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { type Host, headlessHost } from "@haft/core";
import { homeOf, type Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { approvingHost } from "../terminal/terminal-host.ts";
import { type AgentChoice, openAgents } from "./open-agents.ts";
import { openClientServers } from "./open-client-servers.ts";

/** What every session of a client is to be like. */
export interface AcpChoice extends AgentChoice {
  readonly agent: string | undefined;
  readonly limits: AgentLimits;
  readonly diagnostics: boolean | undefined;
  /** Nobody is asked, though the client could. */
  readonly isHeadless: boolean;
}

/** The agents that a client talks with, and the end of it. */
export interface OpenedBackend extends AcpBackend {
  close(): void;
}

/** Opens a workspace for each session that a client wants. */
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
    if (found !== undefined && found.workspace !== landingOf(cwd)) {
      throw new ToolError(
        "not-found",
        `The session ${JSON.stringify(session)} is one of ${found.workspace}, not of ${cwd}. Open it there.`,
      );
    }
    if (found !== undefined) return found.name;
    throw new ToolError(
      "not-found",
      `There is no session ${JSON.stringify(session)}. haft sessions list --all shows what there is.`,
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
      const { list } = discoverManifests({ workspace, home: homeOf(io), environment });
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
    // What is not there is no workspace, which is told when it is opened.
    return directory;
  }
}
