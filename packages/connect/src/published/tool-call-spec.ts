import type { ResultPersistence } from "@haft/contract";

/** How an agent gets a published tool, as a state of a conversation lists it. */
export interface ToolCallSpec {
  /** The tool's id on the platform. */
  readonly tool_id: string;
  /** PEP 440, such as `>=1.2,<2`; the latest version unless said. */
  readonly version_constraint?: string;
  /** Put behind the tool's description. */
  readonly additional_instruction?: string;
  /** Words to say while a call takes long. */
  readonly audio_fillers?: readonly string[];
  /** How long that is, in seconds. */
  readonly audio_filler_triggered_after?: number;
  /** `persisted-preferred` unless said. */
  readonly result_persistence?: ResultPersistence;
}

/** A state of a conversation and the tools that an agent has in it. */
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

/** What the agent of an action state is about to do: act, or see whether the state is left. */
export type StateUse = "action" | "exit-condition";

/** The tools that an agent has in a state. */
export function specsOf(
  state: ConversationState,
  use: StateUse = "action",
): readonly ToolCallSpec[] {
  if (state.type !== "action") return state.tool_call_specs ?? [];
  const { action_tool_call_specs = [], exit_condition_tool_call_specs = [] } = state;
  return use === "action" ? action_tool_call_specs : exit_condition_tool_call_specs;
}
