import type { CallState, ErrorCode, Isolation, JsonValue, ToolResult } from "@haft/contract";

/** The layout of records; a recording of another version is refused, not misread. */
export const recordingVersion = 1;

/** One call as it happened. */
export interface CallRecord {
  readonly session: string;
  readonly callId: string;
  /** The name as the model wrote it. */
  readonly name: string;
  /** The native id, if the name resolved. */
  readonly tool: string | undefined;
  /** The arguments as they came: JSON text, or the value it stands for. */
  readonly arguments: string | JsonValue;
  readonly dialect: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: CallState;
  readonly result: ToolResult;
}

/** What is quickly known of a recorded call. */
export interface RecentCall extends Pick<CallRecord, "name" | "tool" | "startedAt" | "state"> {
  /** `undefined` if they are too long to be quickly read. */
  readonly arguments: string | JsonValue | undefined;
  readonly errorCode: ErrorCode | undefined;
  /** What confined it; `undefined` if that is not quickly read. */
  readonly isolation: Isolation | undefined;
}

/** Keeps one row per call. */
export interface Recorder {
  /** Must not throw for want of disk: a lost row costs a warning, never the call. */
  record(row: CallRecord): void;
  /** The rows of a session, in the order in which the calls ended. */
  list(session: string): Iterable<CallRecord>;
  /** The last so many calls of a session, oldest first, if that is cheap to know. */
  recent?(session: string, limit: number): readonly RecentCall[];
  /** Resolves when all rows so far are as durable as they get. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
