import type { LanguageServers } from "../lsp/language-servers.ts";
import type { AgentManifests } from "../manifests/agent-manifest.ts";
import { readAgentSettings } from "../settings/read-agent-settings.ts";
import { requireSkills } from "../skills/require-skills.ts";
import type { Skills } from "../skills/skills.ts";
import type { Subagents } from "../subagents/create-subagents.ts";
import type { Threads } from "../threads/threads.ts";
import type { AgentHouse } from "./agent-house.ts";
import type { AgentPlace } from "./agent-place.ts";
import type { HouseParts } from "./house-parts.ts";
import { createInstructionBook } from "./instruction-book.ts";
import { createModelShelf } from "./model-shelf.ts";
import { openChild } from "./open-child.ts";
import type { Residents } from "./residents.ts";
import { startAgent } from "./start-agent.ts";

/** What the house shares with the tools that lead into it. */
export interface HouseServices {
  readonly manifests: AgentManifests;
  readonly skills: () => Skills;
  readonly subagents: Subagents;
  readonly threads: () => Promise<Threads>;
  readonly languageServers: () => Promise<LanguageServers>;
  readonly residents: Residents;
}

/** Opens the house: reads the settings, and knows from then on who works in it. */
export async function createHouse(place: AgentPlace, services: HouseServices): Promise<AgentHouse> {
  // Its warnings are about the program, not for whoever uses it.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { manifests, skills, subagents, residents, languageServers } = services;
  const workspace = place.computer.roots[0] as string;
  const { home, environment } = place;
  const { settings, warnings } = await readAgentSettings({ workspace, home, environment });
  for (const warning of [...warnings, ...manifests.warnings]) place.warn(warning);
  const threads = await services.threads();
  const parts: HouseParts = {
    place,
    settings,
    manifests,
    models: createModelShelf(place, settings),
    instructions: createInstructionBook(place, skills),
    subagents,
    threads,
    skillFiles: requireSkills(skills(), workspace),
    residents,
    diagnose: async ({ result }, signal) => {
      const changed = result.metadata.track_files ?? [];
      if (changed.length === 0) return undefined;
      return (await languageServers()).diagnoseChanges(changed, { signal });
    },
  };
  return {
    manifests,
    threads,
    settings,
    start: (start) => startAgent(start, parts),
    spawner: {
      depthOf: (session) => residents.get(session)?.depth ?? 0,
      openChild: (request) => openChild(request, parts),
    },
  };
}
