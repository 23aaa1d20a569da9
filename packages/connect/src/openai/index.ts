export type { ProgrammaticOptions } from "../formats/programmatic.ts";
export type { RunOptions } from "../formats/run-calls.ts";
export type { OpenAiDescription, OpenAiToolOptions, ResponsesToolOptions } from "./openai-form.ts";
export {
  type ChatImageMessage,
  type ChatToolCall,
  type ChatToolMessage,
  runChatCalls,
} from "./run-chat-calls.ts";
export {
  type ResponsesCaller,
  type ResponsesCallOutput,
  type ResponsesContent,
  type ResponsesOutputItem,
  runResponsesCalls,
} from "./run-responses-calls.ts";
export {
  type ChatTool,
  type ResponsesCustomTool,
  type ResponsesFunction,
  type ResponsesProgramTool,
  type ResponsesTool,
  toChatTools,
  toResponsesTools,
} from "./to-openai-tools.ts";
