import { join } from "node:path";
import { type Tool, ToolError } from "@haft/contract";
import type { Host, Session } from "@haft/core";
import type { AgentHouse } from "../house/agent-house.ts";
import type { AgentPlace } from "../house/agent-place.ts";
import type { Residents } from "../house/residents.ts";
import { createLspTool } from "../lsp/create-lsp-tool.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import type { AgentManifests } from "../manifests/agent-manifest.ts";
import { createSkillTool } from "../skills/create-skill-tool.ts";
import { discoverSkills } from "../skills/discover-skills.ts";
import type { Skills } from "../skills/skills.ts";
import { createSubagents } from "../subagents/create-subagents.ts";
import { namedAgents } from "../subagents/named-agents.ts";
import { createPlanExitTool } from "../subagents/plan-exit-tool.ts";
import { createThreadTools } from "../threads/create-thread-tools.ts";
import type { Threads } from "../threads/threads.ts";

/** How agents are used. */
export interface AgentServicesOptions extends AgentPlace {
  /** Whether an agent of ours works here. Elsewhere what only our own agents need is left out. */
  readonly hasAgent: boolean;
  /** Whether the tool that loads skills tells of them, where no system prompt of ours does. */
  readonly advertisesSkills?: boolean;
}

/** What agents bring to a workspace: tools at once, everything behind them when it is needed. */
export interface AgentServices {
  readonly tools: readonly Tool[];
  /** Reads the agents' files: from then on the tools tell of them, and those that are tools are there. */
  load(): Promise<void>;
  /** Has `task` and its kin work in a session that somebody opened. */
  adopt(session: Session, host: Host): void;
  /** The house, opened at the first time. */
  house(): Promise<AgentHouse>;
  readonly skills: () => Skills;
  readonly languageServers: () => Promise<LanguageServers>;
  /** Ends what was opened. */
  close(): Promise<void>;
}

/** Offers agents to a workspace. Nothing is read or loaded before it is used. */
export function createAgentServices(options: AgentServicesOptions): AgentServices {
  const { computer, home, environment, stateDirectory, hasAgent } = options;
  const workspace = computer.roots[0] as string;
  const residents: Residents = new Map();
  const skills = once((): Skills => {
    const found = discoverSkills({ workspace, home, environment });
    for (const warning of found.warnings) options.warn(warning);
    return found;
  });
  const manifests = once(async (): Promise<AgentManifests> => {
    const { discoverManifests } = await import("../manifests/discover-manifests.ts");
    return discoverManifests({ workspace, home, environment });
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
  const subagents = createSubagents({
    manifests,
    spawner: async () => (await house()).spawner,
  });
  const house = once(async (): Promise<AgentHouse> => {
    const { createHouse } = await import("../house/create-house.ts");
    return createHouse(options, {
      manifests: await manifests(),
      skills,
      subagents,
      threads,
      languageServers,
      residents,
    });
  });
  const planExit = createPlanExitTool({
    leave: async (session) => {
      const resident = residents.get(session);
      if (resident?.become === undefined) {
        throw new ToolError("not-available", "There is no plan mode to leave here.");
      }
      resident.become("build");
      return "The plan is approved. From the next step on you are the agent build: carry it out.";
    },
  });
  const isOffered = ({ id }: Tool): boolean =>
    hasAgent || Boolean(environment.HAFT_MODEL) || !Object.hasOwn(namedAgents, id);
  const others: readonly Tool[] = [
    createSkillTool(skills, { advertises: options.advertisesSkills ?? false }),
    ...createThreadTools(threads),
    createLspTool(languageServers),
    ...(hasAgent ? [planExit as Tool] : []),
  ];

  return {
    get tools() {
      return [...subagents.tools.filter(isOffered), ...others];
    },
    load: () => subagents.load(),
    adopt: (session, host) => {
      if (residents.has(session.id)) return;
      residents.set(session.id, { session, host, depth: 0, model: () => undefined });
    },
    house,
    skills,
    languageServers,
    close: async () => {
      await subagents.close();
      await (await openServers)?.close();
      // What could not be opened was told to whoever wanted it, and has no end.
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
