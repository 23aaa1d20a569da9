import type { JsonSchema } from "@haft/contract";
import { eventTypes } from "../client/event-types.ts";
import { idPattern } from "../new-id.ts";

const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };
const flag: JsonSchema = { type: "boolean" };
const moment: JsonSchema = { type: "string", format: "date-time" };
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

/** An object of which every member is required. */
const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

// PostgreSQL can't store a zero byte.
const storable: JsonSchema = { type: "string", pattern: "^[^\\u0000]*$" };
const names: JsonSchema = orNull({
  type: "array",
  maxItems: 100,
  items: { ...storable, minLength: 1, maxLength: 500 },
});

const fields: Readonly<Record<string, JsonSchema>> = {
  url: {
    ...storable,
    minLength: 1,
    maxLength: 2_000,
    description: "Where events are sent with POST. https, unless the operator allows the host.",
  },
  events: {
    type: "array",
    uniqueItems: true,
    items: { type: "string", enum: [...eventTypes] },
    description:
      "The types of events. Empty for a webhook that only hears of invocations that name it.",
  },
  description: { ...storable, maxLength: 500 },
  tools: { ...names, description: "IDs or names of tools. Null for all tools." },
  tags: {
    ...names,
    description:
      "Tags of tools, as `key:value`, `key:*` or `key:`. A tool counts that has them all, or that is in `tools`.",
  },
  links: {
    ...flag,
    description:
      "Whether `inbox.waiting` has one-time links to answer. Needs the permission `Inbox:AnswerItem`.",
  },
  synchronous: {
    ...flag,
    description: "Whether invocations count that answered their caller directly.",
  },
  sessions: {
    ...flag,
    description:
      "Whether events of the inbox count that are about sessions on the server's machine. Needs every permission, in the organization that sees them.",
  },
  enabled: flag,
};

const defaults: Readonly<Record<string, unknown>> = {
  ...{ description: "", tools: null, tags: null },
  ...{ links: false, synchronous: false, sessions: false, enabled: true },
};

/** The body of a request that creates a webhook. */
export const newWebhookBody: JsonSchema = {
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      Object.hasOwn(defaults, name) ? { ...schema, default: defaults[name] } : schema,
    ]),
  ),
  required: ["url", "events"],
  additionalProperties: false,
};

/** The body of a request that changes a webhook. */
export const webhookChangeBody: JsonSchema = {
  type: "object",
  properties: fields,
  additionalProperties: false,
};

const shown: Readonly<Record<string, JsonSchema>> = {
  id: text,
  ...fields,
  disabled_reason: { ...orNull(text), description: "Why the platform disabled it." },
  failures: { ...whole, description: "Deliveries that were given up since the last success." },
  previous_secret_until: {
    ...orNull(moment),
    description: "Until when deliveries are signed with the secret before, too.",
  },
  user_id: { ...text, description: "The user who created it." },
  created_at: moment,
  updated_at: moment,
};

/** A webhook. */
export const webhookReply: JsonSchema = objectOf(shown);

/** A webhook with its secret. */
export const issuedWebhook: JsonSchema = objectOf({
  ...shown,
  secret: { ...text, description: "`whsec_…`. It is shown only now." },
});

/** All webhooks of an organization. */
export const webhookList: JsonSchema = objectOf({
  webhooks: { type: "array", items: webhookReply },
});

/** The body of a request that rotates a secret. */
export const rotationBody: JsonSchema = {
  type: "object",
  properties: {
    overlap_hours: {
      type: "integer",
      minimum: 0,
      maximum: 720,
      default: 24,
      description: "How long deliveries are signed with the old secret, too.",
    },
  },
};

const states: JsonSchema = { type: "string", enum: ["pending", "sending", "succeeded", "failed"] };

/** An event on its way to a webhook. */
export const deliveryReply: JsonSchema = objectOf({
  id: { ...text, description: "Sent as `webhook-id`, the same for each attempt." },
  type: text,
  state: states,
  event: { description: "The body, without links to answer." },
  due_at: { ...orNull(moment), description: "When it is sent next." },
  created_at: moment,
  attempt_count: whole,
  attempts: {
    type: "array",
    description: "The last ten attempts, the newest first.",
    items: objectOf({
      number: whole,
      started_at: moment,
      duration_ms: whole,
      status: orNull(whole),
      response: { ...orNull(text), description: "The beginning of the response." },
      error: { ...orNull(text), description: "Why there is no response." },
    }),
  },
});

/** Some deliveries of a webhook, the newest first. */
export const deliveryPage: JsonSchema = objectOf({
  deliveries: { type: "array", items: deliveryReply },
  has_more: flag,
  continuation_token: orNull(text),
});

const deliveryId = "^msg_[a-f0-9]{24}$";

/** Which deliveries to list. */
export const deliveryQuery: JsonSchema = {
  type: "object",
  properties: {
    state: states,
    limit: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    continuation_token: { type: "string", pattern: deliveryId },
  },
};

/** The body of a request that sends deliveries again. */
export const replayBody: JsonSchema = {
  type: "object",
  properties: {
    delivery_ids: {
      type: "array",
      minItems: 1,
      maxItems: 100,
      items: { type: "string", pattern: deliveryId },
      description: "Which deliveries. Default: all that failed.",
    },
    since: { ...moment, description: "Only those that were created since then." },
  },
};

/** How many deliveries are sent again. */
export const replayReply: JsonSchema = objectOf({ replayed: whole });

/** One webhook in a path. */
export const webhookParams: JsonSchema = {
  type: "object",
  properties: { organization: text, webhook_id: { type: "string", pattern: idPattern } },
  required: ["organization", "webhook_id"],
};
