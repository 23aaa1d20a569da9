import type { CallState, ErrorCode, Isolation, JsonValue, ToolResult } from "@haft/contract";

/** The version of the record format. Recordings of other versions are refused. */
export const recordingVersion = 1;

/** A recorded call. */
export interface CallRecord {
  readonly session: string;
  readonly callId: string;
  /** The name as the model wrote it. */
  readonly name: string;
  /** The native ID, if the name was resolved. */
  readonly tool: string | undefined;
  /** The arguments as sent: JSON text or a value. */
  readonly arguments: string | JsonValue;
  readonly dialect: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: CallState;
  readonly result: ToolResult;
}

/** The facts of a recorded call that are quick to read. */
export interface RecentCall extends Pick<CallRecord, "name" | "tool" | "startedAt" | "state"> {
  /** `undefined` if they are too long to read quickly. */
  readonly arguments: string | JsonValue | undefined;
  readonly errorCode: ErrorCode | undefined;
  /** What confined the call, or `undefined` if that is not quick to read. */
  readonly isolation: Isolation | undefined;
}

/** Stores one record per call. */
export interface Recorder {
  /** Must not throw if the disk is full: a lost record is a warning, not a failed call. */
  record(row: CallRecord): void;
  /**
   * Returns why records can't be written now, as a sentence with the remedy, or `undefined`. Calls that
   * change something are refused meanwhile.
   */
  findFailure?(): string | undefined;
  /** Returns the records of a session in the order in which the calls ended. */
  list(session: string): Iterable<CallRecord>;
  /** Returns the last calls of a session, oldest first, if that is cheap. */
  recent?(session: string, limit: number): readonly RecentCall[];
  /** Resolves when all records so far are durable. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
