export type { ProgrammaticOptions } from "../formats/programmatic.ts";
export type { RunOptions } from "../formats/run-calls.ts";
export {
  type AnthropicBlock,
  type AnthropicImage,
  type AnthropicResultBlock,
  type AnthropicResultMessage,
  type AnthropicText,
  runAnthropicCalls,
} from "./run-anthropic-calls.ts";
export {
  type AnthropicCodeTool,
  type AnthropicProgrammaticOptions,
  type AnthropicTool,
  type AnthropicToolOptions,
  toAnthropicTools,
} from "./to-anthropic-tools.ts";
