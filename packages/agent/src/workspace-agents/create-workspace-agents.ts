import { join } from "node:path";
import { type Tool, ToolError } from "@haft/contract";
import type { CallOutcome } from "@haft/core";
import { createLspTool } from "../lsp/create-lsp-tool.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import type { AgentManifests } from "../manifests/agent-manifest.ts";
import { createCells } from "../programs/cells.ts";
import { createCodeOutputTool } from "../programs/code-output-tool.ts";
import type { ProgramPool } from "../programs/program-pool.ts";
import { createRunCodeTool } from "../programs/run-code-tool.ts";
import { createSkillTool } from "../skills/create-skill-tool.ts";
import { discoverSkills } from "../skills/discover-skills.ts";
import type { Skills } from "../skills/skills.ts";
import { agentDescriptions } from "../subagents/agent-descriptions.ts";
import { createSubagents } from "../subagents/create-subagents.ts";
import { createPlanExitTool } from "../subagents/plan-exit-tool.ts";
import { createThreadTools } from "../threads/create-thread-tools.ts";
import type { Threads } from "../threads/threads.ts";
import type { AgentSetup } from "./agent-setup.ts";
import type { ParentSessions } from "./parent-session.ts";
import type { WorkspaceAgents, WorkspaceAgentsOptions } from "./workspace-agents.ts";

/** Creates the agents of a workspace. Nothing is read or loaded before it is used. */
export function createWorkspaceAgents(options: WorkspaceAgentsOptions): WorkspaceAgents {
  const { computer, home, environment, stateDirectory, hasAgent } = options;
  const workspace = computer.roots[0] as string;
  const { trust } = computer;
  const parents: ParentSessions = new Map();
  const skills = once((): Skills => {
    const found = discoverSkills({ workspace, home, environment, trust });
    for (const warning of found.warnings) options.warn(warning);
    return found;
  });
  const manifests = once(async (): Promise<AgentManifests> => {
    const { discoverManifests } = await import("../manifests/discover-manifests.ts");
    return discoverManifests({ workspace, home, environment, trust });
  });
  let openThreads: Promise<Threads> | undefined;
  const threads = (): Promise<Threads> => {
    openThreads ??= import("../threads/open-threads.ts").then((module) =>
      module.openThreads(join(stateDirectory, "threads.db"), {
        recordings: join(stateDirectory, "recordings.db"),
      }),
    );
    return openThreads;
  };
  let openServers: Promise<LanguageServers> | undefined;
  const languageServers = (): Promise<LanguageServers> => {
    openServers ??= import("../lsp/language-servers.ts").then((module) =>
      module.createLanguageServers({ computer }),
    );
    return openServers;
  };
  const diagnose = async (
    { result }: CallOutcome,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const changed = result.metadata.track_files ?? [];
    if (changed.length === 0) return undefined;
    return (await languageServers()).diagnoseChanges(changed, { signal });
  };
  const setup = once(async (): Promise<AgentSetup> => {
    const { readAgentSetup } = await import("./agent-setup.ts");
    const known = await manifests();
    return readAgentSetup(options, { manifests: known, threads: await threads(), skills });
  });
  const subagents = createSubagents({
    manifests,
    spawner: {
      depthOf: (session) => parents.get(session)?.depth ?? 0,
      openChild: async (request) => {
        const { openChild } = await import("./open-child.ts");
        return openChild(request, await setup(), parents);
      },
    },
  });
  const planExit = createPlanExitTool({
    leave: async (session) => {
      const parent = parents.get(session);
      if (parent?.become === undefined) {
        throw new ToolError("not-available", "This session is not in plan mode.");
      }
      parent.become("build");
      return "The plan is approved. From the next step on you are the agent build: carry it out.";
    },
  });
  let openPool: Promise<ProgramPool> | undefined;
  const pool = (): Promise<ProgramPool> => {
    openPool ??= import("../programs/program-pool.ts").then((module) =>
      module.createProgramPool(join(stateDirectory, "programs")),
    );
    return openPool;
  };
  let hasPrograms = options.hasPrograms ?? false;
  const findPrograms = async (): Promise<void> => {
    const failure = await (await pool()).findFailure();
    if (failure === undefined) return;
    hasPrograms = false;
    options.warn(`--code has no effect: ${failure}`);
  };
  const cells = createCells();
  const runCode = createRunCodeTool({ pool, sessionOf: (id) => parents.get(id)?.session, cells });
  const programTools = [
    runCode as Tool,
    ...(options.hasCells ? [createCodeOutputTool(cells)] : []),
  ];
  const isOffered = ({ id }: Tool): boolean =>
    hasAgent || Boolean(environment.HAFT_MODEL) || !Object.hasOwn(agentDescriptions, id);
  const others: readonly Tool[] = [
    createSkillTool(skills, { advertises: options.advertisesSkills ?? false }),
    ...createThreadTools(threads),
    createLspTool(languageServers),
    ...(hasAgent ? [planExit as Tool] : []),
  ];

  return {
    get tools() {
      const programs = hasPrograms ? (programTools as Tool[]) : [];
      return [...subagents.tools.filter(isOffered), ...others, ...programs];
    },
    loadTools: async () => {
      await subagents.load();
      if (hasPrograms) await findPrograms();
    },
    listUnusable: async () => {
      if (hasAgent) return [];
      const { readAgentSettings } = await import("../settings/read-agent-settings.ts");
      const { settings } = await readAgentSettings({ workspace, home, environment, trust });
      const { model, modelClasses = {} } = settings;
      const hasModel = model !== undefined || Object.keys(modelClasses).length > 0;
      return hasModel ? [] : subagents.tools.map(({ id }) => id);
    },
    adopt: (session, context) => {
      if (parents.has(session.id)) return;
      parents.set(session.id, { session, ...context, depth: 0, model: () => undefined });
      // The first program finds its process ready.
      if (hasPrograms) void pool().then((ready) => ready.warm());
    },
    manifests,
    threads,
    skills,
    start: async (start) => {
      const { startAgent } = await import("./start-agent.ts");
      return startAgent(start, await setup(), { subagents, parents, diagnose });
    },
    close: async () => {
      await subagents.close();
      await (await openServers)?.close();
      await (await openPool)?.close();
      // If they could not be opened, the call that needed them has reported it.
      (await openThreads?.catch(() => undefined))?.close();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
