import type { RequirementSet } from "@haft/contract";
import type { Session } from "@haft/core";
import { collectInstructions } from "../instructions/collect-instructions.ts";
import { composeInstructions } from "../instructions/compose-instructions.ts";
import { describeEnvironment } from "../instructions/describe-environment.ts";
import type { AgentManifest, AgentManifests } from "../manifests/agent-manifest.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import { readAgentSettings } from "../settings/read-agent-settings.ts";
import { describeSkills } from "../skills/describe-skills.ts";
import { requireSkills } from "../skills/require-skills.ts";
import type { Skills } from "../skills/skills.ts";
import type { Threads } from "../threads/threads.ts";
import { createModelCache, type ModelCache } from "./model-cache.ts";
import type { WorkspaceAgentsOptions } from "./workspace-agents.ts";

/** What starting any agent of the workspace needs. Read once. */
export interface AgentSetup {
  readonly options: WorkspaceAgentsOptions;
  readonly settings: AgentSettings;
  readonly manifests: AgentManifests;
  readonly models: ModelCache;
  readonly prompts: SystemPrompts;
  readonly threads: Threads;
  /** Permission to read the files of skills that are outside the workspace. */
  readonly skillFiles: RequirementSet;
}

/** The parts of an agent setup that tools use too. */
export type SharedSetup = Pick<AgentSetup, "manifests" | "threads"> & { skills(): Skills };

/** Reads the settings and instructions of the workspace. */
export async function readAgentSetup(
  options: WorkspaceAgentsOptions,
  { manifests, threads, skills }: SharedSetup,
): Promise<AgentSetup> {
  // The AI SDK's warnings are meant for its developers, not for users of Haft.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const workspace = options.computer.roots[0] as string;
  const { home, environment } = options;
  const { trust } = options.computer;
  const { settings, warnings } = await readAgentSettings({ workspace, home, environment, trust });
  for (const warning of [...warnings, ...manifests.warnings]) options.warn(warning);
  return {
    options,
    settings,
    manifests,
    models: createModelCache(options, settings),
    prompts: createSystemPrompts(options, skills),
    threads,
    skillFiles: requireSkills(skills(), workspace),
  };
}

/** Returns the system prompt of an agent. A shipped one names tools as the session's model knows them. */
type SystemPrompts = (manifest: AgentManifest, session: Pick<Session, "nameTools">) => string;

/** Collects the instructions of the workspace once, for the system prompts of all its agents. */
function createSystemPrompts(
  { computer, home, environment, warn }: WorkspaceAgentsOptions,
  skills: () => Skills,
): SystemPrompts {
  const workspace = computer.roots[0] as string;
  const project = collectInstructions({ workspace, home, environment });
  for (const warning of project.warnings) warn(warning);
  const readOnly = computer.variables["read-only"] ?? [];
  const here = describeEnvironment({
    workspace,
    roots: computer.roots.slice(1).map((path) => ({ path, isReadOnly: readOnly.includes(path) })),
    platform: process.platform,
    date: new Date(),
  });
  return (manifest, session) => {
    const { origin, prompt } = manifest;
    const canLoadSkills = manifest.tools === undefined || manifest.tools.includes("skill");
    return composeInstructions({
      prompt: origin === "shipped" ? session.nameTools(prompt) : prompt,
      environment: here,
      instructions: project.text,
      skills: canLoadSkills ? describeSkills(skills(), session.nameTools) : undefined,
    });
  };
}
