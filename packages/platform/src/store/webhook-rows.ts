import type { Bit } from "./invocation-row.ts";

/** An address of an organization that is told of events. */
export interface WebhookRow {
  id: string;
  org_id: string;
  url: string;
  description: string;
  /** JSON: the types of events. */
  events: string;
  /** JSON: IDs of tools, and tags as `key:value`. Null: of all tools. */
  tools: string | null;
  tags: string | null;
  /** Whether events of the inbox have links to answer. */
  links: Bit;
  /** Whether synchronous invocations count, too. */
  synchronous: Bit;
  /** Whether it is told of calls of sessions on the server's machine. */
  sessions: Bit;
  enabled: Bit;
  /** Why the platform disabled it. */
  disabled_reason: string | null;
  /** Deliveries that were given up since the last success. */
  failures: number;
  /** Sealed. The one before is empty unless the secret was rotated, and signs until `previous_until`. */
  secret: string;
  previous_secret: string;
  previous_until: number | null;
  /** The user who created it. */
  user_id: string;
  created_at: number;
  updated_at: number;
}

/** An event on its way to a webhook. Written in the transaction of what it is about. */
export interface WebhookDeliveryRow {
  id: string;
  org_id: string;
  webhook_id: string;
  type: string;
  /** JSON, without links to answer: these are added when it is sent. */
  body: string;
  state: "pending" | "sending" | "succeeded" | "failed";
  /** The process that sends it. */
  owner: string | null;
  /** How often it was sent, and how often since it was created or replayed. */
  attempts: number;
  tries: number;
  /** When it is sent next, while it is pending. */
  due_at: number;
  created_at: number;
  updated_at: number;
}

/** One request of a delivery. */
export interface WebhookAttemptRow {
  delivery_id: string;
  /** From 1. */
  number: number;
  started_at: number;
  duration_ms: number;
  /** The status of the response, and its beginning. */
  status: number | null;
  response: string | null;
  /** Why there is no response. */
  error: string | null;
}
