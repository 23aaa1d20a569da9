export { createMemoryThread } from "./memory-thread.ts";
export { openThreads, type ThreadsOptions } from "./open-threads.ts";
export type { EntryOutline, StoredEntry, Thread, ThreadEntry, ThreadFacts } from "./thread.ts";
export type { ThreadFilter, ThreadHit, ThreadSummary, Threads } from "./threads.ts";
