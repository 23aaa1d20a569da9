// For Haft's own packages. Unsupported: it changes without notice.
export { tokensInOutput } from "../loop/token-estimate.ts";
export { createThreadTools } from "./create-thread-tools.ts";
export {
  type DescribeLimits,
  describeCall,
  describeEntry,
  toOutputText,
} from "./describe-entry.ts";
export { type AskedCall, callsOf } from "./entry-calls.ts";
export { toEntryText } from "./entry-text.ts";
export type { FindThreadArguments, FindThreadData, FoundThread } from "./find-thread-tool.ts";
export type { ReadThreadData } from "./read-page.ts";
export type { ReadThreadArguments } from "./read-thread-tool.ts";
export { createRecordedCalls, type RecordedCalls } from "./recorded-calls.ts";
export { type ReplayedThread, replayThread } from "./replay-thread.ts";
