import type { JsonObject } from "../json.ts";

// The API's values, in the form of `webhook-schemas.ts`.

/** A webhook to be created, with defaults filled in. */
export interface FilledWebhook {
  readonly url: string;
  /** Such as `inbox.waiting`. */
  readonly events: readonly string[];
  readonly description: string;
  /** IDs or names of tools. Null for all tools. */
  readonly tools: readonly string[] | null;
  /** `key:value`, `key:*` or `key:`. */
  readonly tags: readonly string[] | null;
  /** Whether `inbox.waiting` has one-time links to answer. */
  readonly links: boolean;
  /** Whether invocations count that answered their caller directly. */
  readonly synchronous: boolean;
  /** Whether it hears of calls of sessions on the server's machine. */
  readonly sessions: boolean;
  readonly enabled: boolean;
}

/** Changes of a webhook. */
export type WebhookChange = Partial<FilledWebhook>;

/** A webhook to be created. */
export type NewWebhook = WebhookChange & Pick<FilledWebhook, "url" | "events">;

/** An address of an organization that is told of events. */
export interface Webhook extends FilledWebhook {
  readonly id: string;
  /** Why the platform disabled it. */
  readonly disabled_reason: string | null;
  /** Deliveries that were given up since the last success. */
  readonly failures: number;
  /** Until when deliveries are signed with the secret before, too. */
  readonly previous_secret_until: string | null;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A webhook with its secret, which is shown only once. */
export interface IssuedWebhook extends Webhook {
  /** `whsec_…` */
  readonly secret: string;
}

/** An event on its way to a webhook. */
export interface WebhookDelivery {
  /** Sent as `webhook-id`, the same for each attempt. */
  readonly id: string;
  readonly type: string;
  readonly state: "pending" | "sending" | "succeeded" | "failed";
  /** The body, without links to answer. */
  readonly event: JsonObject | null;
  readonly due_at: string | null;
  readonly created_at: string;
  readonly attempt_count: number;
  /** The last ones, the newest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** One request of a delivery. */
export interface WebhookAttempt {
  readonly number: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  /** The beginning of the response. */
  readonly response: string | null;
  /** Why there is no response. */
  readonly error: string | null;
}

/** Some deliveries of a webhook, the newest first. */
export interface WebhookDeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly has_more: boolean;
  readonly continuation_token: string | null;
}

/** Which deliveries to list. */
export interface WebhookDeliveryQuery {
  readonly state?: WebhookDelivery["state"];
  readonly limit?: number;
  readonly continuation_token?: string;
}

/** Which deliveries to send again. Default: all that failed. */
export interface WebhookReplay {
  readonly delivery_ids?: readonly string[];
  /** Only those that were created since then. */
  readonly since?: string;
}
