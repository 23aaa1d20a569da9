import type { ModelClass } from "../models/model-class.ts";
import type { ModelSettings } from "../models/model-settings.ts";

/** Settings for agents, from the user's and the project's settings files. */
export interface AgentSettings extends ModelSettings {
  /** Default model as `PROVIDER/MODEL`. */
  readonly model?: string;
  /** Models for the classes that manifests name. Default: the model of the agent that starts the other. */
  readonly modelClasses?: Readonly<Partial<Record<ModelClass, string>>>;
  /** Name of the primary agent to start. */
  readonly agent?: string;
  /** Maximum number of model requests per turn. */
  readonly maxSteps?: number;
  /** Maximum number of input and output tokens per turn. */
  readonly maxTokens?: number;
  /** Maximum number of tokens that the definitions of all tools may take. */
  readonly maxDefinitionTokens?: number;
  /** Maximum number of retries of a failed request. */
  readonly retries?: number;
  /** Whether the model gets diagnostics of the files it changed. */
  readonly diagnostics?: boolean;
  /** Whether a thread that gets too long is summarized. If not, its oldest messages are dropped. */
  readonly compaction?: boolean;
}
