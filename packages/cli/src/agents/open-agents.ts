import type { AgentHouse, AgentStart, StartedAgent } from "@haft/agent";
import type { Io } from "../io.ts";
import { openWorkspace, type Workspace, type WorkspaceUse } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

/** Which model agents have, where neither they nor the settings say, and how it is reached. */
export interface AgentChoice {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The agents of a workspace, ready to be started. */
export interface OpenedAgents extends Pick<AgentHouse, "manifests" | "threads" | "settings"> {
  readonly workspace: Workspace;
  /** Starts a primary agent; who is asked is as the options say unless the start says so. */
  start(start: AgentStart): Promise<StartedAgent>;
  close(): Promise<void>;
}

/** Opens the workspace that the options name for agents of ours. */
export async function openAgents(
  options: CommonOptions,
  io: Io,
  {
    model,
    baseUrl,
    ...use
  }: AgentChoice & Pick<WorkspaceUse, "delegate" | "openMore" | "moreRoots"> = {},
): Promise<OpenedAgents> {
  const workspace = await openWorkspace(options, io, {
    ...use,
    serves: true,
    agent: { model, baseUrl },
  });
  try {
    const house = await asUsage(() => workspace.agents.house());
    const { manifests, threads, settings } = house;
    return {
      workspace,
      manifests,
      threads,
      settings,
      start: (start) => asUsage(() => house.start({ host: workspace.host, ...start })),
      close: () => workspace.close(),
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

// What a person can put right in their command line or settings is told as such.
async function asUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
