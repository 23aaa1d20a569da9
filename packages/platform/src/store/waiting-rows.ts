import type { Bit } from "./invocation-row.ts";

/** An invocation that was accepted with `Prefer: respond-async`. Kept for a while after it ends. */
export interface AsyncInvocationRow {
  id: string;
  org_id: string;
  tool_id: string;
  version_id: string;
  /** The user and the key that started it. */
  user_id: string;
  key_id: string;
  state: "queued" | "running" | "waiting" | "ended";
  /** The process that runs it. */
  owner: string | null;
  /** Counts its runs. Only the last may write to its journal. */
  attempt: number;
  is_cancelled: Bit;
  /** Sealed JSON: its input and conversation; empty once it has ended. */
  request: string;
  /** JSON: the known columns of its row in history. */
  draft: string;
  /** JSON: what it printed in earlier runs. */
  printed: string | null;
  /** The time that its runs took, without waiting. */
  active_ms: number;
  /** When it continues at the latest, while it waits. */
  wake_at: number | null;
  created_at: number;
  updated_at: number;
  /** The end of all waiting. */
  expires_at: number;
  /** A webhook that is told of its end. */
  webhook_id: string | null;
}

/** A call of `step`, `sleep` or `ask` in an asynchronous invocation. */
export interface InvocationStepRow {
  invocation_id: string;
  /** Counts the calls of an invocation, from 0. */
  position: number;
  kind: "step" | "sleep" | "ask";
  name: string;
  is_repeatable: Bit;
  /** When a sleep ends or the deadline of a question is over. */
  due_at: number | null;
  /** Counts the results of an invocation, in the order in which they arrived. */
  ordinal: number | null;
  /** Sealed JSON; empty without a result. */
  result: string;
  created_at: number;
}

/** Something that happened to an asynchronous invocation, for those who follow it. */
export interface InvocationEventRow {
  invocation_id: string;
  /** Counts the events of an invocation, from 1. */
  seq: number;
  event: string;
  /** JSON. */
  data: string;
  created_at: number;
}

/** A question of a session of which webhooks were told. The question itself stays on its machine. */
export interface AnnouncedQuestionRow
  extends Pick<
    InboxItemRow,
    "id" | "org_id" | "kind" | "state" | "tool_name" | "created_at" | "deadline_at"
  > {
  session_id: string;
  /** JSON: the schema of the answer. */
  schema: string;
}

/** Something that a person has to answer. */
export interface InboxItemRow {
  id: string;
  org_id: string;
  kind: "question" | "approval";
  state: "waiting" | "answered" | "expired" | "cancelled";
  /** What waits for the answer, and which call of it. */
  source_type: "invocation" | "session";
  source_id: string;
  position: number;
  tool_id: string | null;
  /** The name and version of what is called, and its arguments as JSON without secrets. */
  tool_name: string;
  tool_version: string | null;
  arguments: string;
  question: string;
  /** JSON: the schema of the answer; null for any JSON. */
  schema: string | null;
  /** JSON: what else is needed to continue, such as a verdict and a proposed rule. */
  detail: string;
  /** JSON: IDs of users and names of roles; null for everyone who may answer. */
  answerers: string | null;
  /** The user for whom it is asked. */
  user_id: string;
  created_at: number;
  deadline_at: number;
  answered_at: number | null;
  answered_by: string | null;
  answered_key_id: string | null;
  /** Sealed JSON; empty without an answer. */
  answer: string;
  /** How the answer came; null for an item that was answered before this was recorded. */
  answered_via: "api" | "link" | "machine" | null;
  /** Who decided, in another system, as the answering program says. */
  on_behalf_of: string | null;
}
