import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";
import { waitingCall } from "./waiting-call.ts";

const nullableText = { anyOf: [{ type: "string" }, { type: "null" }] } as const;
const moment = { type: "string", format: "date-time" } as const;
const state = {
  type: "string",
  enum: ["waiting", "answered", "expired", "cancelled"],
} as const;

/** Something that a person has to answer. */
export const inboxItem = {
  type: "object",
  properties: {
    id: { type: "string" },
    kind: { type: "string", enum: ["question", "approval"] },
    state: state as typeof state,
    source: {
      type: "object",
      description: "What waits for the answer.",
      properties: {
        type: { type: "string", enum: ["invocation", "session"] },
        id: { type: "string" },
      },
      required: ["type", "id"],
    },
    tool_id: nullableText as typeof nullableText,
    tool_name: { type: "string" },
    tool_version: nullableText as typeof nullableText,
    arguments: { description: "The arguments of the call, with secrets masked." },
    question: { type: "string" },
    schema: {
      description: "The JSON Schema of the answer. Null if any JSON is accepted.",
      anyOf: [
        { type: "object", additionalProperties: true },
        { type: "boolean" },
        { type: "null" },
      ],
    },
    answerers: {
      description:
        "IDs of users and names of roles who may answer. Null for everyone with the permission.",
      anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }],
    },
    user_id: { type: "string", description: "The user who started what waits." },
    created_at: moment as typeof moment,
    deadline_at: moment as typeof moment,
    answered_at: { anyOf: [moment as typeof moment, { type: "null" }] },
    answered_by: nullableText as typeof nullableText,
    answered_via: {
      description: "How the answer came. `machine`: on the machine of a session that asked.",
      anyOf: [{ type: "string", enum: ["api", "link", "machine"] }, { type: "null" }],
    },
    on_behalf_of: {
      description: "Who decided, in another system, as the answering program says.",
      anyOf: [{ type: "string" }, { type: "null" }],
    },
    answer: { description: "The answer; null without one." },
    call: {
      description: "For a call of a session.",
      anyOf: [waitingCall as typeof waitingCall, { type: "null" }],
    },
  },
  required: [
    "id",
    "kind",
    "state",
    "source",
    "tool_id",
    "tool_name",
    "tool_version",
    "arguments",
    "question",
    "schema",
    "answerers",
    "user_id",
    "created_at",
    "deadline_at",
    "answered_at",
    "answered_by",
    "answered_via",
    "on_behalf_of",
    "answer",
    "call",
  ],
} as const;

/** Some items of the inbox. */
export const inboxPage = {
  type: "object",
  properties: {
    items: { type: "array", items: inboxItem as typeof inboxItem },
    has_more: { type: "boolean" },
    continuation_token: nullableText as typeof nullableText,
  },
  required: ["items", "has_more", "continuation_token"],
} as const;

/** Which items to list. */
export const inboxQuery = {
  type: "object",
  properties: {
    state: {
      type: "array",
      uniqueItems: true,
      items: state as typeof state,
      default: ["waiting"],
    },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 100 },
    continuation_token: { type: "string", pattern: idPattern as string },
  },
} as const;

/** One item in a path. */
export const inboxParams = {
  type: "object",
  properties: {
    organization: { type: "string" },
    // Calls of sessions have IDs of 32 digits.
    item_id: { type: "string", pattern: "^(?:[a-f0-9]{24}|[a-f0-9]{32})$" },
  },
  required: ["organization", "item_id"],
} as const;

/** An answer. */
export const inboxAnswer = {
  type: "object",
  properties: {
    answer: { description: "Any JSON that matches the schema of the item." },
    on_behalf_of: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      pattern: "^[^\\u0000]*$",
      description:
        "Who decided, in another system, such as `slack:U024BE7LH`. Recorded with the answer.",
    },
    reason: {
      type: "string",
      description: "For the answer no to a call of a session: what its model is told.",
    },
    rules: {
      type: "array",
      minItems: 1,
      maxItems: 20,
      items: { type: "string", minLength: 1, maxLength: 2_000 },
      description:
        "For the answers `always` and `project` to a call of a session: rules to store instead of the proposed ones. They must allow this call.",
    },
  },
  required: ["answer"],
} as const;

/** What a link is to answer. */
export const linkBody = {
  type: "object",
  properties: {
    answer: { description: "The only answer of the link. Default: the person chooses." },
  },
} as const;

/** A link that answers an item. */
export const linkReply = {
  type: "object",
  properties: { url: { type: "string" }, expires_at: moment as typeof moment },
  required: ["url", "expires_at"],
} as const;

/** Something that a person has to answer. */
export type InboxItem = Wire<typeof inboxItem>;

/** Some items of the inbox. */
export type InboxPage = Wire<typeof inboxPage>;

/** Which items to list. */
export type InboxQuery = Wire<typeof inboxQuery>;

/** Which items to list, with defaults filled in. */
export type FilledInboxQuery = Filled<typeof inboxQuery>;
