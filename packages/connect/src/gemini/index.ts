export type { RunOptions } from "../formats/run-calls.ts";
export {
  type GeminiCall,
  type GeminiImage,
  type GeminiPart,
  type GeminiResponsePart,
  type GeminiRunOptions,
  runGeminiCalls,
} from "./run-gemini-calls.ts";
export { type GeminiFunction, type GeminiTool, toGeminiTools } from "./to-gemini-tools.ts";
