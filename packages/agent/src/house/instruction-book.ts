import { collectInstructions } from "../instructions/collect-instructions.ts";
import { composeInstructions } from "../instructions/compose-instructions.ts";
import { describeEnvironment } from "../instructions/describe-environment.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import { describeSkills } from "../skills/describe-skills.ts";
import type { Skills } from "../skills/skills.ts";
import type { AgentPlace } from "./agent-place.ts";

/** Writes the system prompts of a workspace's agents. */
export interface InstructionBook {
  /** What is said to an agent of this manifest before anything else. */
  write(manifest: AgentManifest): string;
}

/** Collects what holds for every agent of the workspace once. */
export function createInstructionBook(place: AgentPlace, skills: () => Skills): InstructionBook {
  const workspace = place.computer.roots[0] as string;
  const { home, environment } = place;
  const project = collectInstructions({ workspace, home, environment });
  for (const warning of project.warnings) place.warn(warning);
  const here = describeEnvironment({ workspace, platform: process.platform, date: new Date() });
  return {
    write: (manifest) => {
      const mayLoad = manifest.tools === undefined || manifest.tools.includes("skill");
      return composeInstructions({
        prompt: manifest.prompt,
        environment: here,
        instructions: project.text,
        skills: mayLoad ? describeSkills(skills()) : undefined,
      });
    },
  };
}
