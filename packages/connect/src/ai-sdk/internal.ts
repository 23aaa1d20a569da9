// For Haft's own packages. Unsupported: it changes without notice.
export { toAiSdkOutput } from "./to-ai-sdk-output.ts";
