import type { CallState, JsonValue, Progress, ToolKind, ToolResult } from "@haft/contract";

/** How much a request, a turn or a thread used. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Of the input, what the provider had from before. */
  readonly cached_tokens: number;
  /** In the currency of the prices; absent where no price is known. */
  readonly cost?: number;
}

/**
 * Why a turn ended. `end`: the model had nothing more to do. The limits: `max-steps`, `max-tokens`,
 * `max-cost`. `loop`: it made the same calls over and over. `aborted`: a person stopped it. `error`: the
 * model could not be asked.
 */
export type TurnEnd =
  | "end"
  | "max-steps"
  | "max-tokens"
  | "max-cost"
  | "loop"
  | "aborted"
  | "error";

/**
 * What happens while an agent works, in the order in which it happens. `haft agent --json` prints these,
 * one a line.
 */
export type AgentEvent =
  | {
      readonly type: "turn-start";
      /** The session's name, which is the thread's too. */
      readonly session: string;
      /** The thread's id. */
      readonly thread: string;
      readonly agent: string;
      readonly model: string;
    }
  /** A request to the model. */
  | { readonly type: "step-start"; readonly step: number; readonly tools: number }
  /** A part of the answer. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** The answer broke off or never came and is asked for again: text and reasoning of this step are void. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly delay_ms: number;
      readonly reason: string;
    }
  /** The model wants a call made. */
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      /** The native id and its kind; absent if there is no such tool. */
      readonly tool?: string;
      readonly kind?: ToolKind;
      readonly arguments: JsonValue;
    }
  | { readonly type: "tool-state"; readonly id: string; readonly state: CallState }
  | { readonly type: "tool-progress"; readonly id: string; readonly progress: Progress }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly name: string;
      readonly result: ToolResult;
      /** What the model is told beside the result, such as diagnostics. */
      readonly remarks?: readonly string[];
    }
  | {
      readonly type: "step-end";
      readonly step: number;
      readonly finish_reason: string;
      readonly usage: Usage;
    }
  /** Another agent acts from the next request on. */
  | { readonly type: "agent"; readonly agent: string; readonly model: string }
  /** What came before was replaced by a summary. */
  | { readonly type: "compaction"; readonly entries: number; readonly summary: string }
  /** What the model is told without being asked, such as the end of a background task. */
  | { readonly type: "notice"; readonly text: string }
  /** What a subagent does, if it may be looked at. */
  | {
      readonly type: "subagent";
      /** The call that spawned it. */
      readonly call: string;
      readonly agent: string;
      readonly thread: string;
      readonly event: AgentEvent;
    }
  | { readonly type: "warning"; readonly message: string }
  | ({ readonly type: "turn-end" } & TurnOutcome);

/** How a turn went. */
export interface TurnOutcome {
  readonly reason: TurnEnd;
  /** What the model said last. */
  readonly text: string;
  readonly steps: number;
  readonly usage: Usage;
  /** What went wrong, for `error` and the limits: a sentence with the remedy. */
  readonly error?: string;
}

/** Hears what happens. What it throws harms no turn. */
export type AgentListener = (event: AgentEvent) => void;
