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
>;

/** Writes history. */
export interface History {
  /**
   * Tells that an invocation begins. If it has not ended a moment later that is written down, so
   * that it is recorded as failed should this process die. Returns what ends it: resolves once the
   * row is durable. Rows of one moment share one transaction.
   */
  begin(draft: InvocationDraft): { end(row: NewInvocation): Promise<void> };
  /** Records what processes that died have left behind as failed, and forgets what is too old. */
  tidy(): Promise<void>;
  /** Writes what is waiting. */
  close(): Promise<void>;
}
