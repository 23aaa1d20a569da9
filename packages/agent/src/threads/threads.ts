import type { CallRecord } from "@haft/core";
import type { Usage } from "../loop/agent-event.ts";
import type { EntryOutline, StoredEntry, Thread, ThreadFacts } from "./thread.ts";

/** A thread in a list. */
export interface ThreadSummary extends ThreadFacts {
  readonly title?: string | undefined;
  /** ID of the thread it was forked from. A thread with only a parent belongs to a subagent. */
  readonly forkedFrom?: string | undefined;
  /** When the last was said of what a fork shares. Milliseconds since the epoch. */
  readonly forkedAt?: number | undefined;
  /** The agent that answered last. */
  readonly agent?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly entries: number;
  readonly calls: number;
}

/** Which threads to list. */
export interface ThreadFilter {
  /** Only threads of this workspace. */
  readonly workspace?: string | undefined;
  /** Maximum number of threads. Default: no limit. */
  readonly limit?: number | undefined;
  /** Whether to include opaque threads. Default: false. */
  readonly opaque?: boolean | undefined;
}

/** A thread that matches a search. */
export interface ThreadHit {
  readonly thread: ThreadSummary;
  /** Text around the match. */
  readonly snippet: string;
  /** Number of the matching entry, if the match is in an entry. */
  readonly at?: number | undefined;
}

/** Which answers of models count. */
export interface UsageFilter {
  /** ID of a session. Its subagents count too. Default: all sessions of this machine. */
  readonly session?: string | undefined;
  /** Milliseconds since the epoch. Default: 0. */
  readonly since?: number | undefined;
  /** Name of an agent. Default: all. */
  readonly agent?: string | undefined;
}

/** Which answers of models count. */
export interface UsagePeriod {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly workspace?: string | undefined;
  readonly agent?: string | undefined;
}

/** What an agent used of a model on a day. The cost is unknown if that of one request is. */
export interface UsageOfDay extends Usage {
  /** In UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly agent: string;
  readonly model: string;
  readonly requests: number;
}

/** All threads on this machine. Several processes may use them, but each thread is open in one at a time. */
export interface Threads {
  /**
   * Opens the thread of a session, new or existing. Calls that were running when a process died are
   * ended as errors and never run again. Throws a `conflict` while another process has it open.
   */
  open(facts: ThreadFacts): Thread;
  /** Returns the summary of a thread, or `undefined` if there is none with this ID. */
  find(id: string): ThreadSummary | undefined;
  entries(id: string, from?: number): Iterable<StoredEntry>;
  /** Returns all entries except results of calls, oldest first, without their contents. */
  outline(id: string): EntryOutline[];
  /**
   * Iterates over the recorded calls of a session, in the order in which they ended, including those that a
   * fork began with. Works for sessions without a thread too.
   */
  calls(id: string): Iterable<CallRecord>;
  /** Returns the usage that is stored with the answers of models. */
  usage(filter?: UsageFilter): Usage;
  /** Returns the usage by day, agent and model, oldest day first. */
  usageByDay(filter?: UsagePeriod): UsageOfDay[];
  /** Returns the IDs of the threads that a running process has open. */
  held(): string[];
  /** Most recently used first. */
  list(filter?: ThreadFilter): ThreadSummary[];
  /** Indexes all new entries, yielding to other work in between. */
  takeIn(): Promise<void>;
  /** Best matches first. Includes sessions without a thread, by their calls. */
  search(query: string, filter?: ThreadFilter): ThreadHit[];
  /** Creates a thread that begins with the entries of another, up to an entry if given. */
  fork(id: string, to: ThreadFacts, upTo?: number): ThreadSummary;
  close(): void;
}
