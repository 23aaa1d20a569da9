import type { ModelClass } from "../models/model-class.ts";
import type { ModelSettings } from "../models/model-settings.ts";

/** A limit of tokens, input and output, and of the cost in the currency of the prices. */
export interface Budget {
  readonly maxTokens?: number;
  readonly maxCost?: number;
}

/** Limits of what a person's agents use in more than one turn. Subagents count. */
export interface Budgets {
  /** Of each session. */
  readonly session?: Budget;
  /** Of all sessions of this machine since midnight. */
  readonly day?: Budget;
  /** Of the agents of a name since midnight. */
  readonly agents?: Readonly<Record<string, Budget>>;
}

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
  readonly budgets?: Budgets;
  /** Maximum number of tokens that the definitions of all tools may take. */
  readonly maxDefinitionTokens?: number;
  /** Maximum number of retries of a failed request. */
  readonly retries?: number;
  /** Whether the model gets diagnostics of the files it changed. */
  readonly diagnostics?: boolean;
  /** Whether a thread that gets too long is summarized. If not, its oldest messages are dropped. */
  readonly compaction?: boolean;
}
