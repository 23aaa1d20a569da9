import type { CallState, ErrorCode, Isolation, JsonValue, ToolResult } from "@haft/contract";
import type { AskAnswer } from "../hosts/host.ts";
import type { RuleAction, RuleScope } from "../rules/rule.ts";

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
  /** What was decided about the call before it ran. Absent if it did not get that far. */
  readonly passage?: CallPassage | undefined;
}

/** What was decided about a call, and how long it waited. */
export interface CallPassage {
  /** The verdict of the rules. */
  readonly action: RuleAction;
  /** The deciding rule as a line, and its origin. Absent if no rule matched. */
  readonly rule?: string;
  readonly scope?: RuleScope;
  /** The watchdog required approval. */
  readonly watched?: true;
  /** The command ran on a layer, and its changes were judged when it had ended. */
  readonly reviewed?: true;
  /** The answer of a person, or `approved` if the call was approved before it was made. */
  readonly answer?: AskAnswer["answer"] | "approved";
  /** How long a person was asked. */
  readonly asked_ms?: number;
  /** How long the call waited for other calls and their files. */
  readonly queued_ms?: number;
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
