import type { CallState, JsonValue, Progress, ToolKind, ToolResult } from "@haft/contract";

/** Token usage and cost of a request, a turn or a thread. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Input tokens that the provider had cached. */
  readonly cached_tokens: number;
  /** In the currency of the prices. Absent if no price is known. */
  readonly cost?: number;
}

/**
 * Why a turn ended. `end`: the model finished. `max-steps`, `max-tokens`, `max-cost`: a limit was
 * reached. `loop`: the model repeated the same calls. `aborted`: a person stopped it. `error`: the
 * request to the model failed.
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
 * An event of a turn. Events come in order. `haft agent --json` prints one per
 * line.
 */
export type AgentEvent =
  | {
      readonly type: "turn-start";
      /** Name of the session and its thread. */
      readonly session: string;
      /** ID of the thread. */
      readonly thread: string;
      readonly agent: string;
      readonly model: string;
    }
  /** A request to the model. */
  | { readonly type: "step-start"; readonly step: number; readonly tools: number }
  /** A part of the answer. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** The request failed and is repeated. Discard the text and reasoning of this step. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly delay_ms: number;
      readonly reason: string;
    }
  /** The model requests a call. */
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      /** Native ID and kind of the tool. Absent if there is no such tool. */
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
      /** Text for the model in addition to the result, such as diagnostics. */
      readonly remarks?: readonly string[];
    }
  | {
      readonly type: "step-end";
      readonly step: number;
      readonly finish_reason: string;
      readonly usage: Usage;
    }
  /** Another agent takes over from the next request on. */
  | { readonly type: "agent"; readonly agent: string; readonly model: string }
  /** Earlier messages were replaced by a summary. */
  | { readonly type: "compaction"; readonly entries: number; readonly summary: string }
  /** A message to the model that no person wrote, such as the end of a background task. */
  | { readonly type: "notice"; readonly text: string }
  /** An event of an inspectable subagent. */
  | {
      readonly type: "subagent";
      /** ID of the call that started it. */
      readonly call: string;
      readonly agent: string;
      readonly thread: string;
      readonly event: AgentEvent;
    }
  | { readonly type: "warning"; readonly message: string }
  | ({ readonly type: "turn-end" } & TurnOutcome);

/** The outcome of a turn. */
export interface TurnOutcome {
  readonly reason: TurnEnd;
  /** The model's last text. */
  readonly text: string;
  readonly steps: number;
  readonly usage: Usage;
  /** What happened and what to do, for `error` and the limits. */
  readonly error?: string;
}

/** Receives the events of a turn. Errors it throws are ignored. */
export type AgentListener = (event: AgentEvent) => void;
