import type { Insertable } from "kysely";
import type { InvocationRow } from "../store/schema.ts";

/** A row of history to be. */
export type NewInvocation = Insertable<InvocationRow>;

/** What was known of an invocation when it began. */
export type InvocationDraft = Omit<
  NewInvocation,
  | "succeeded"
  | "output"
  | "exception_type"
  | "exception_message"
  | "exception_stack_trace"
  | "duration_ms"
  | "updated_at"
  | "printed"
>;

/** Writes history. */
export interface History {
  /**
   * Tells that an invocation begins. If it has not ended a moment later that is written down, so
   * that it is recorded as failed should this process die. Returns what ends it: resolves once the
   * row is durable. Rows of one moment share one transaction. If the store fails the row is kept for
   * `writeKept`, and `end` throws.
   */
  begin(draft: InvocationDraft): {
    end(row: NewInvocation): Promise<void>;
    /** The invocation waits: it no longer runs, and has not ended. */
    leave(): Promise<void>;
  };
  /** Writes the rows that could not be written before. Throws what the store threw. */
  writeKept(): Promise<void>;
  /** Records what processes that died have left behind as failed, and forgets what is too old. */
  tidy(): Promise<void>;
  /** Writes what is waiting. What can't be written stays in the file of unwritten records. */
  close(): Promise<void>;
}

/** The record of an invocation that has ended could not be written. */
export class NotRecorded extends Error {
  /** It is kept, and written when the store takes it. */
  readonly isKept: boolean;

  constructor(
    id: string,
    {
      reason,
      isKept,
      cause,
    }: { readonly reason: string; readonly isKept: boolean; readonly cause: unknown },
  ) {
    super(`Invocation ${id} is not recorded: ${reason}`, { cause });
    this.name = "NotRecorded";
    this.isKept = isKept;
  }
}
