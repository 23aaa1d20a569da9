import type { ConversationState, StateUse } from "./tool-call-spec.ts";

/** Options for invoking published tools. */
export interface InvocationSetting {
  /** In a simulation a tool reaches only the hosts it declares for simulations. Default: `regular`. */
  readonly mode?: "regular" | "conversation-simulation";
  readonly userVariables?: Readonly<Record<string, string>>;
  /** User variables that are kept out of every log. */
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
  /** Returns the conversation of a call. Called for each call. Default: none. */
  conversation?(): Conversation | undefined;
}

/** The conversation that a call is recorded with. */
export interface Conversation {
  /** Default: the user of the API key. */
  readonly userId?: string;
  readonly conversationId: string;
  readonly interactionId: string;
  /** The name and version of the state graph. */
  readonly stateMachine: readonly [name: string, version: number];
  /** The index of the round of calls in this interaction, from 0. */
  readonly round: number;
  /** The conversation data that is passed to the tool. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Where a call is made. */
interface InvocationContext {
  readonly state: ConversationState;
  readonly use: StateUse;
  /** Returns the user of the API key. */
  findUserId(): Promise<string>;
}

/** Returns the body of an invocation request. */
export async function describeInvocation(
  args: Readonly<Record<string, unknown>>,
  setting: InvocationSetting,
  context: InvocationContext,
): Promise<Readonly<Record<string, unknown>>> {
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
        user_id: conversation.userId ?? (await context.findUserId()),
        conversation_id: conversation.conversationId,
        interaction_id: conversation.interactionId,
        invocation_metadata: describeState(conversation, context),
      },
      ...(conversation.context !== undefined && { conversation: conversation.context }),
    }),
  };
}

function describeState(
  { stateMachine, round }: Conversation,
  { state, use }: Pick<InvocationContext, "state" | "use">,
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
