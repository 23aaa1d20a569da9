import type { JsonSchema, OutputLimit } from "@haft/contract";
import type { TurnEnd } from "../loop/agent-event.ts";

/** What came of a subagent's work. */
export interface ChildData {
  agent: string;
  /** The thread that shows what it did; absent if that is nobody's business. */
  thread?: string;
  /** Its answer. */
  text: string;
  /** How often its model was asked. */
  steps: number;
  /** `end` if it had nothing more to do; else what stopped it. */
  reason: TurnEnd;
  /** What went wrong, with the remedy. */
  error?: string;
  changed_files?: string[];
  /** How many more files it changed. */
  more_changed_files?: number;
}

/** How the properties of `ChildData` are declared in the output of tools. */
export const childProperties: Readonly<Record<keyof ChildData, JsonSchema>> = {
  agent: { type: "string" },
  thread: { type: "string", description: "What it did; read_thread shows it." },
  text: { type: "string", description: "Its answer." },
  steps: { type: "integer", description: "How often its model was asked." },
  reason: {
    enum: ["end", "max-steps", "max-tokens", "max-cost", "loop", "aborted", "error"],
    description: "end: it had nothing more to do; else what stopped it.",
  },
  error: { type: "string", description: "What went wrong." },
  changed_files: { type: "array", items: { type: "string" } },
  more_changed_files: { type: "integer", description: "How many more it changed." },
};

/** How much of an answer reaches the model at once. */
export const childOutput: OutputLimit = { bytes: 100 * 1024, field: "text" };
