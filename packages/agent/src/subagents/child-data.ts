import type { JsonSchema, OutputLimit } from "@haft/contract";
import type { TurnEnd } from "../loop/agent-event.ts";

/** The outcome of a subagent's work. */
export interface ChildData {
  agent: string;
  /** ID of its thread. Absent if the agent is not inspectable. */
  thread?: string;
  /** Its answer. */
  text: string;
  /** Number of model requests. */
  steps: number;
  /** `end` if it finished by itself, otherwise what stopped it. */
  reason: TurnEnd;
  /** What went wrong and what to do. */
  error?: string;
  changed_files?: string[];
  /** Number of changed files that are not listed. */
  more_changed_files?: number;
  /** Whether it worked on a layer of its own. Absent if that was not asked for. */
  isolation?: "layer" | "none";
  /** Paths that it changed on its layer, and others changed meanwhile: these were not applied. */
  conflicts?: string[];
  /** A directory with its versions of these. */
  kept_at?: string;
  /** What else became of its changes. */
  notes?: string[];
}

/** Output schema of `ChildData`. */
export const childProperties: Readonly<Record<keyof ChildData, JsonSchema>> = {
  agent: { type: "string" },
  thread: { type: "string", description: "ID of its thread. `read_thread` shows what it did." },
  text: { type: "string", description: "The agent's answer." },
  steps: { type: "integer", description: "Number of model requests." },
  reason: {
    enum: ["end", "max-steps", "max-tokens", "max-cost", "loop", "aborted", "error"],
    description: "`end` if it finished by itself, otherwise what stopped it.",
  },
  error: { type: "string", description: "What went wrong." },
  changed_files: { type: "array", items: { type: "string" } },
  more_changed_files: {
    type: "integer",
    description: "Number of changed files that are not listed.",
  },
  isolation: {
    enum: ["layer", "none"],
    description: "`layer` if it worked on a layer of its own, which was applied when it ended.",
  },
  conflicts: {
    type: "array",
    items: { type: "string" },
    description:
      "Files whose changes were not applied, because they were also changed in the workspace.",
  },
  kept_at: { type: "string", description: "Directory with the subagent's versions of these." },
  notes: { type: "array", items: { type: "string" } },
};

/** Maximum size of an answer in the model's context. */
export const childOutput: OutputLimit = { bytes: 100 * 1024, field: "text" };
