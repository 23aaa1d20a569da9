import type { RequirementSet } from "@haft/contract";
import type { CallOutcome } from "@haft/core";
import type { AgentManifests } from "../manifests/agent-manifest.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import type { Subagents } from "../subagents/create-subagents.ts";
import type { Threads } from "../threads/threads.ts";
import type { AgentPlace } from "./agent-place.ts";
import type { InstructionBook } from "./instruction-book.ts";
import type { ModelShelf } from "./model-shelf.ts";
import type { Residents } from "./residents.ts";

/** What those who start agents have in common. */
export interface HouseParts {
  readonly place: AgentPlace;
  readonly settings: AgentSettings;
  readonly manifests: AgentManifests;
  readonly models: ModelShelf;
  readonly instructions: InstructionBook;
  readonly subagents: Subagents;
  readonly threads: Threads;
  /** What reading skills outside the workspace takes. */
  readonly skillFiles: RequirementSet;
  readonly residents: Residents;
  /** What language servers say of the files that a call changed. */
  diagnose(outcome: CallOutcome, signal: AbortSignal): Promise<string | undefined>;
}
