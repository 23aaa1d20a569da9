export type {
  AiSdkCall,
  AiSdkContent,
  AiSdkFunction,
  AiSdkMessage,
  AiSdkModelOutput,
  AiSdkPart,
  AiSdkTextTool,
  AiSdkTool,
  AiSdkToolParts,
} from "./ai-sdk-tool.ts";
export type { InputSchema } from "./input-schema.ts";
export { type AiSdkToolOptions, toAiSdkTools } from "./to-ai-sdk-tools.ts";
export { toPrepareStep } from "./to-prepare-step.ts";
export {
  type AiSdkApproval,
  type AiSdkApprovalRequest,
  toToolApproval,
} from "./to-tool-approval.ts";
