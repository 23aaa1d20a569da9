export type { Conversation, InvocationSetting } from "./describe-invocation.ts";
export type { ForwardCall, ForwardCallRequest } from "./forward-call-tool.ts";
export {
  openPublishedTools,
  type PublishedTools,
  type PublishedToolsOptions,
} from "./open-published-tools.ts";
export type { PlatformConnection } from "./platform-api.ts";
export type { ConversationState, StateUse, ToolCallSpec } from "./tool-call-spec.ts";
