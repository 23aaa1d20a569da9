import type { ErrorCode } from "./error-codes.ts";
import type { CommandChange, DiscardedChanges } from "./shell.ts";

/** What confined a call while it ran. */
export type Isolation = "none" | "capability" | "sandbox";

/** Facts about a result. */
export interface Metadata {
  duration_ms: number;
  /** The data was cut. The whole, as far as it was kept, is at `output_path`, which the `read` tool can open. */
  truncated?: true;
  output_path?: string;
  error_code?: ErrorCode;
  /** The type that a module's tool gave its error, such as `ValueError`. */
  error_type?: string;
  /** The file that the error is about. */
  absolute_path?: string;
  /** For a call that a program made: ID of the call that runs the program. */
  parent_id?: string;
  /** The files that this call changed. */
  track_files?: string[];
  isolation?: Isolation;
  /** For a call that ran a command: whether everything that it changed can be undone. */
  reversible?: boolean;
  /** What the command changed, if that is known: the first of `changes_total`. */
  changes?: Omit<CommandChange, "keptAt">[];
  changes_total?: number;
  /** What the command changed that was not applied, because it was not approved: the first 100. */
  discarded?: DiscardedChanges["changes"][number][];
  /** Where versions of the command are that were not applied, because somebody else changed the file meanwhile. */
  kept_at?: string[];
  /** Whether the result stays in the conversation, for tools that declare a `persistence`. */
  persistence?: "persisted" | "ephemeral";
  /** News for the model that is not about this call, such as a job that has ended. Each is given once. */
  notices?: string[];
  /** How the call was understood where it was not in the tool's own words, such as a path in quotes. */
  notes?: string[];
  /** Problems that did not fail the call, such as a sidecar that could not be written. */
  warnings?: string[];
  /** What hooks did about the call. */
  hooks?: HookRemark[];
  /** The answer to the question that the call waited for in an inbox. */
  approval?: Approval;
}

/** An answer that a call waited for in an inbox. */
export type Approval = {
  /** ID of the question. */
  id: string;
  answer: string;
  /** The user who answered. */
  by: string;
  /** How it was answered, such as `haft inbox`. */
  via: string;
  /** ISO 8601. */
  at: string;
};

/** What a hook did about a call. */
export type HookRemark = {
  /** The event, as the hook's own agent calls it, such as `PreToolUse`. */
  event: string;
  /** The hook: its name or its command, shortened. */
  hook: string;
  did:
    | "denied"
    | "asked"
    | "changed the arguments"
    | "added context"
    | "replaced the result"
    | "stopped the agent"
    | "failed";
  /** The reason, the text or the new arguments. */
  text: string;
};

/** The result of a call that succeeded. */
export interface ToolOutput<Data = unknown> {
  type: "output";
  data: Data;
  metadata: Metadata;
}

/** The result of a call that failed. The error text is written for the model. */
export interface ToolFailure {
  type: "error";
  error_text: string;
  metadata: Metadata;
}

/** The result of any call. */
export type ToolResult<Data = unknown> = ToolOutput<Data> | ToolFailure;

/** The state of a call. It starts in progress, may wait for a person, and ends in one of four states. */
export type CallState =
  | "in-progress"
  | "blocked-on-user"
  | "done"
  | "error"
  | "cancelled"
  | "rejected-by-user";
