import type { ModelSettings } from "../models/model-settings.ts";

/** What a person or a project says of agents once and for all. */
export interface AgentSettings extends ModelSettings {
  /** `PROVIDER/MODEL` for agents that name none. */
  readonly model?: string;
  /** The name of the agent that is talked to. */
  readonly agent?: string;
  /** Requests to the model in a turn. */
  readonly maxSteps?: number;
  /** Tokens of a turn, in and out. */
  readonly maxTokens?: number;
  /** How often a request is made again after it failed. */
  readonly retries?: number;
  /** Whether the model is told what language servers say of the files it changed. */
  readonly diagnostics?: boolean;
  /** Whether a thread that gets too long is summed up; else its oldest part is left out. */
  readonly compaction?: boolean;
}
