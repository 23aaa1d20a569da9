import type { ResultPersistence } from "@haft/contract";

/** A published tool in the list of a conversation's state. */
export interface ToolCallSpec {
  /** The tool's id on the platform. */
  readonly tool_id: string;
  /** A PEP 440 specifier such as `>=1.2,<2`. Default: the latest version. */
  readonly version_constraint?: string;
  /** Appended to the tool's description. */
  readonly additional_instruction?: string;
  /** Phrases to speak while a call takes long. */
  readonly audio_fillers?: readonly string[];
  /** Seconds before the first filler. Default: 0. */
  readonly audio_filler_triggered_after?: number;
  /** Default: `persisted-preferred`. */
  readonly result_persistence?: ResultPersistence;
}

/** A state of a conversation and its tools. */
export type ConversationState =
  | {
      readonly type: "action";
      readonly name: string;
      readonly action_tool_call_specs?: readonly ToolCallSpec[];
      readonly exit_condition_tool_call_specs?: readonly ToolCallSpec[];
    }
  | {
      readonly type: "decision" | "reflection" | "tool-call";
      readonly name: string;
      readonly tool_call_specs?: readonly ToolCallSpec[];
    };

/** What the agent of an action state does: act, or check whether to leave the state. */
export type StateUse = "action" | "exit-condition";

/** Returns the tool specs of a state. */
export function specsOf(
  state: ConversationState,
  use: StateUse = "action",
): readonly ToolCallSpec[] {
  if (state.type !== "action") return state.tool_call_specs ?? [];
  const { action_tool_call_specs = [], exit_condition_tool_call_specs = [] } = state;
  return use === "action" ? action_tool_call_specs : exit_condition_tool_call_specs;
}
