import type { CallRecord } from "@haft/core";
import type { StoredEntry, Thread, ThreadFacts } from "./thread.ts";

/** A thread, in a list. */
export interface ThreadSummary extends ThreadFacts {
  readonly title?: string | undefined;
  /** The thread whose beginning this one has. One with a parent and without this was spawned by it. */
  readonly forkedFrom?: string | undefined;
  /** The agent that answered last. */
  readonly agent?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly entries: number;
  readonly calls: number;
}

/** Which threads are wanted. */
export interface ThreadFilter {
  /** Those of this workspace only. */
  readonly workspace?: string | undefined;
  /** How many at most; all unless said. */
  readonly limit?: number | undefined;
  /** Opaque ones too; not unless said. */
  readonly opaque?: boolean | undefined;
}

/** A thread in which something was found. */
export interface ThreadHit {
  readonly thread: ThreadSummary;
  /** Some words around what was found. */
  readonly snippet: string;
  /** The entry it is in, if it is in one. */
  readonly at?: number | undefined;
}

/** Every thread on this machine. Several processes may have them open; a thread is one's at a time. */
export interface Threads {
  /**
   * The thread of a session, new or as it was left. Calls that a process left under way when it died are
   * ended as errors here, and never made again. A `conflict` while another process has it.
   */
  open(facts: ThreadFacts): Thread;
  /** A thread to look at only; `undefined` if there is none of this id. */
  find(id: string): ThreadSummary | undefined;
  entries(id: string, from?: number): Iterable<StoredEntry>;
  /**
   * The recorded calls of a session, in the order in which they ended; a fork has those it began with too.
   * Of a session without a thread as well.
   */
  calls(id: string): Iterable<CallRecord>;
  /** The last used first. */
  list(filter?: ThreadFilter): ThreadSummary[];
  /** Makes ready to search: takes in all that is new, letting others have their turn in between. */
  takeIn(): Promise<void>;
  /** The best first. Sessions without a thread are found too, by the calls that were made in them. */
  search(query: string, filter?: ThreadFilter): ThreadHit[];
  /** A new thread that begins with what another held, up to an entry if one is given. */
  fork(id: string, to: ThreadFacts, upTo?: number): ThreadSummary;
  close(): void;
}
