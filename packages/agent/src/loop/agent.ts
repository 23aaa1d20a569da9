import type { CallOutcome, Session } from "@haft/core";
import type { OpenModel } from "../models/open-model.ts";
import type { Thread } from "../threads/thread.ts";
import type { AgentListener, TurnOutcome } from "./agent-event.ts";
import type { AgentLimits } from "./agent-limits.ts";
import type { PromptPart } from "./prompt-part.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** Who answers, from the next request on. */
export interface AgentRole {
  /** The name of the agent's manifest. */
  readonly name: string;
  readonly model: OpenModel;
  /** The whole system prompt. */
  readonly instructions: string;
}

/** What an agent is made of. */
export interface AgentOptions {
  /** Where its calls are made. */
  readonly session: Session;
  /** What was said so far, and where what is said is kept. */
  readonly thread: Thread;
  /** Asked before every request: what it answers may change in between. */
  role(): AgentRole | Promise<AgentRole>;
  readonly limits?: AgentLimits;
  /** Counts for the limits in the place of one of its own, so that others can count with it. */
  readonly meter?: UsageMeter;
  /** Sums up what was said, where it gets too much to be sent on; else the oldest is left out. */
  summarize?(text: string, signal: AbortSignal): Promise<string>;
  /** What the model is to be told beside a result, such as the diagnostics of a file that changed. */
  remark?(outcome: CallOutcome, signal: AbortSignal): Promise<string | undefined>;
  /** Work in the background that the model is told of when it ends. */
  readonly background?: BackgroundWork;
  /** Waits so many milliseconds before a request is made again; a timer unless said. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/** What goes on beside a turn. */
export interface BackgroundWork {
  /** How much is under way. */
  running(): number;
  /** What ended since it was last asked, in words for the model. */
  takeNotices(): readonly string[];
  /** Resolves when the next piece of work has ended, at once if none is under way. */
  next(signal: AbortSignal): Promise<void>;
}

/** How one turn is run. */
export interface PromptOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: AgentListener | undefined;
  /** Whether the turn waits for work in the background and tells the model of its end; true unless said. */
  readonly awaitsBackground?: boolean | undefined;
}

/** Somebody who works on a thread, with the tools of a session. */
export interface Agent {
  readonly session: Session;
  readonly thread: Thread;
  /**
   * Has the model answer, and its calls made, until it ends its turn. Never rejects: what goes wrong is an
   * outcome, and leaves a thread that the next turn can go on from. One turn at a time.
   */
  prompt(prompt: string | readonly PromptPart[], options?: PromptOptions): Promise<TurnOutcome>;
}
