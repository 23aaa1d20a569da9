import type { ErrorCode } from "./error-codes.ts";

/** What actually confined a call while it ran. */
export type Isolation = "none" | "capability" | "sandbox";

/** What is said about a result beside the result. */
export interface Metadata {
  duration_ms: number;
  /** The data is a head; the rest is at `output_path`, which `read` opens. */
  truncated?: true;
  output_path?: string;
  error_code?: ErrorCode;
  /** The file that an error is about. */
  absolute_path?: string;
  /** The files that this call changed. */
  track_files?: string[];
  isolation?: Isolation;
  /** Whether the result stays in later turns, for tools that declare what becomes of theirs. */
  persistence?: "persisted" | "ephemeral";
  /** What went wrong beside the work itself, such as a sidecar that could not be written. */
  warnings?: string[];
}

/** A call that ended with data. */
export interface ToolOutput<Data = unknown> {
  type: "output";
  data: Data;
  metadata: Metadata;
}

/** A call that ended without: the sentence is written for the model. */
export interface ToolFailure {
  type: "error";
  error_text: string;
  metadata: Metadata;
}

/** The one envelope in which every call comes back. */
export type ToolResult<Data = unknown> = ToolOutput<Data> | ToolFailure;

/** The life of a call: it starts in progress, may wait for a person, and ends in one of four ways. */
export type CallState =
  | "in-progress"
  | "blocked-on-user"
  | "done"
  | "error"
  | "cancelled"
  | "rejected-by-user";
