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
export { createMemoryThread } from "./memory-thread.ts";
export { openThreads, type ThreadsOptions } from "./open-threads.ts";
export type { ReadThreadData } from "./read-page.ts";
export type { ReadThreadArguments } from "./read-thread-tool.ts";
export { createRecordedCalls, type RecordedCalls } from "./recorded-calls.ts";
export { type ReplayedThread, replayThread } from "./replay-thread.ts";
export type { StoredEntry, Thread, ThreadEntry, ThreadFacts } from "./thread.ts";
export type { ThreadFilter, ThreadHit, ThreadSummary, Threads } from "./threads.ts";
