import type { ConversationState, StateUse } from "./tool-call-spec.ts";

/** How published tools are invoked. */
export interface InvocationSetting {
  /** `regular` unless said. In a simulation a tool reaches only what it declared for simulations. */
  readonly mode?: "regular" | "conversation-simulation";
  readonly userVariables?: Readonly<Record<string, string>>;
  /** Those that are kept out of every log. */
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
  /** The conversation that calls belong to, asked for at each; none unless said. */
  conversation?(): Conversation | undefined;
}

/** A conversation that calls are recorded with. */
export interface Conversation {
  readonly userId: string;
  readonly conversationId: string;
  readonly interactionId: string;
  /** The graph of states and its version. */
  readonly stateMachine: readonly [name: string, version: number];
  /** Which round of calls of this interaction it is, from 0. */
  readonly round: number;
  /** What the tool is given to know of the conversation. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** What is sent to invoke a tool once. */
export function describeInvocation(
  args: Readonly<Record<string, unknown>>,
  setting: InvocationSetting,
  place: { readonly state: ConversationState; readonly use: StateUse },
): Readonly<Record<string, unknown>> {
  const conversation = setting.conversation?.();
  return {
    inputs: [
      {
        input_parameters: args,
        invocation_mode: setting.mode ?? "regular",
        nonsensitive_user_variables: setting.userVariables ?? {},
        sensitive_user_variables: setting.sensitiveUserVariables ?? {},
      },
    ],
    ...(conversation !== undefined && {
      source: {
        type: "regular-conversation",
        user_id: conversation.userId,
        conversation_id: conversation.conversationId,
        interaction_id: conversation.interactionId,
        invocation_metadata: describeState(conversation, place),
      },
      ...(conversation.context !== undefined && { conversation: conversation.context }),
    }),
  };
}

function describeState(
  { stateMachine, round }: Conversation,
  { state, use }: { readonly state: ConversationState; readonly use: StateUse },
): Readonly<Record<string, unknown>> {
  const graph = { current_state_machine_and_version: stateMachine };
  if (state.type === "tool-call") {
    return { type: "tool-call-state", ...graph, state_name: state.name };
  }
  if (state.type === "action" && use === "action") {
    return { type: "engage-user", ...graph, tool_call_round_index: round };
  }
  return {
    type: "state-transition",
    ...graph,
    state_name: state.name,
    state_transition_index: 0,
    tool_call_round_index: round,
  };
}
