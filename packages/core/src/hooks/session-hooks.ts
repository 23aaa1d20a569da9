import type { HookRemark, JsonValue, Tool, ToolResult } from "@haft/contract";

/**
 * Code of a person's that runs around calls and turns, such as the hook files of other agents. Hooks can
 * refuse, ask, change arguments and add text for the model. They can't allow anything: what they change
 * is judged as if the model had sent it. Methods do not reject.
 */
export interface SessionHooks {
  /** Runs before a call is judged. */
  before(call: HookedCall): HookVerdict | undefined | Promise<HookVerdict | undefined>;
  /** Runs after a call that was executed, before later calls that conflict with it. */
  after(
    call: HookedCall,
    end: HookedEnd,
  ): HookedResult | undefined | Promise<HookedResult | undefined>;
  /** Runs before a person is asked about a call, and can refuse it. */
  onAsk?(call: HookedCall, reason: string): undefined | Promise<HookVerdict | undefined>;
  /** Runs before a prompt becomes part of the conversation. */
  prompt(prompt: HookedTurn): Promise<HookedPrompt>;
  /** Runs when the model is done. Returns what it must be told to go on, if it must. */
  stop(turn: HookedStop): Promise<string | undefined>;
  /** Returns why a hook stopped the agent since the last time this was called. */
  takeStop(): string | undefined;
  /** Runs when the session ends. */
  end(): Promise<void>;
}

/** A call, for hooks. */
export interface HookedCall {
  /** ID of the session. Subagents have their own. */
  readonly session: string;
  readonly callId: string;
  readonly tool: Pick<Tool, "id" | "source">;
  /** The arguments in the tool's own terms. */
  readonly arguments: unknown;
  /** The arguments in the terms of the session's dialect, if it has a name for the tool. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly dialect: string;
  readonly signal: AbortSignal;
}

/** How a call ended, for hooks. */
export interface HookedEnd {
  readonly result: ToolResult;
  /** The tool's own data, if it succeeded. */
  readonly data: JsonValue | undefined;
  readonly durationMs: number;
}

/** What hooks say about a call before it is judged. */
export interface HookVerdict {
  /** Why the call is refused. */
  readonly deny?: string;
  /** Why a person must be asked, whatever the rules allow. */
  readonly ask?: string;
  /** Other arguments, in the tool's own terms. */
  readonly arguments?: unknown;
  /** Texts for the model. */
  readonly context: readonly string[];
  readonly remarks: readonly HookRemark[];
}

/** What hooks say about a result. */
export interface HookedResult {
  /** Data instead of the tool's. */
  readonly data?: JsonValue;
  /** An error text instead of the result. */
  readonly error?: string;
  readonly context: readonly string[];
  readonly remarks: readonly HookRemark[];
}

/** A turn, for hooks. */
export interface HookedTurn {
  readonly session: string;
  /** The person's prompt. */
  readonly prompt: string;
  /** Name of the model. */
  readonly model: string;
  readonly signal: AbortSignal;
}

/** A turn whose model is done. */
export interface HookedStop extends HookedTurn {
  /** The model's last text. */
  readonly text: string;
  /** Whether hooks made the model go on in this turn before. */
  readonly isHeld: boolean;
}

/** What hooks say about a prompt. */
export interface HookedPrompt {
  /** Why the prompt is refused. */
  readonly block?: string;
  /** Texts for the model. */
  readonly context: readonly string[];
}
