import type { CallOutcome, Session } from "@haft/core";
import type { OpenModel } from "../models/open-model.ts";
import type { Thread } from "../threads/thread.ts";
import type { AgentListener, TurnOutcome } from "./agent-event.ts";
import type { AgentLimits } from "./agent-limits.ts";
import type { PromptPart } from "./prompt-part.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** The agent and model that answer the next request. */
export interface AgentRole {
  /** The name of the agent's manifest. */
  readonly name: string;
  readonly model: OpenModel;
  /** The whole system prompt. */
  readonly instructions: string;
  /** Whether the answer is not meant for the person. Its text is then reported as reasoning. Default: false. */
  readonly isAside?: boolean;
}

/** Options of `createAgent`. */
export interface AgentOptions {
  /** The session that runs its calls. */
  readonly session: Session;
  /** The thread that it continues and appends to. */
  readonly thread: Thread;
  /** Called before every request. The role may change in between. */
  role(): AgentRole | Promise<AgentRole>;
  /** Returns the name of the model that will be asked, for hooks. */
  modelName?(): string;
  readonly limits?: AgentLimits;
  /** Counts usage for the limits. Pass one to share it with subagents. Default: a meter of its own. */
  readonly meter?: UsageMeter;
  /** Summarizes a conversation that no longer fits the context. Without it the oldest messages are dropped. */
  summarize?(text: string, signal: AbortSignal): Promise<string>;
  /** Returns text for the model in addition to a result, such as diagnostics of a changed file. */
  remark?(outcome: CallOutcome, signal: AbortSignal): Promise<string | undefined>;
  /** Called when the model has no more calls. Returns a message to the model that makes the turn go on. Default: it ends. */
  beforeEnd?(): string | undefined;
  /** Background work whose end is reported to the model. */
  readonly background?: BackgroundWork;
  /** Waits before a retry. Default: a timer. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/** Work that runs in the background of a turn. */
export interface BackgroundWork {
  /** Returns the number of running tasks. */
  running(): number;
  /**
   * Returns messages for the model about work that has ended since the last call. `nameTools` is that of
   * the model's session.
   */
  takeNotices(nameTools: (text: string) => string): readonly string[];
  /** Resolves when the next task has ended, immediately if none is running. */
  next(signal: AbortSignal): Promise<void>;
}

/** Options of a turn. */
export interface PromptOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: AgentListener | undefined;
  /** Whether the turn waits for background work and reports its end to the model. Default: true. */
  readonly awaitsBackground?: boolean | undefined;
}

/** An agent that works on a thread with the tools of a session. */
export interface Agent {
  readonly session: Session;
  readonly thread: Thread;
  /**
   * Runs a turn: asks the model and runs its calls until it stops. Never rejects: errors are reported in the
   * outcome, and the next turn can continue the thread. Only one turn at a time.
   */
  prompt(prompt: string | readonly PromptPart[], options?: PromptOptions): Promise<TurnOutcome>;
}
