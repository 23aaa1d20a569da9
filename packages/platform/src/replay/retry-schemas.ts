import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";

const textOrNull = { anyOf: [{ type: "string" }, { type: "null" }] } as const;

const ids = {
  type: "array",
  maxItems: 1_000,
  items: { type: "string", pattern: idPattern as string },
  default: [],
} as const;

/** Changes of recorded inputs, in the API's form. */
export const changesSchema = {
  type: "array",
  maxItems: 20,
  default: [],
  description: "Values to put into each input, by a path such as `customer.orders.0.id`.",
  items: {
    type: "object",
    properties: { path: { type: "string", maxLength: 500 }, value: {} },
    required: ["path", "value"],
  },
} as const;

/** Which invocations to repeat, and how. */
export const retryBody = {
  type: "object",
  properties: {
    invocation_ids: { ...ids, description: "These invocations. Default: those that failed." } as {
      readonly type: "array";
      readonly items: { readonly type: "string" };
      readonly default: readonly [];
    },
    tool_id: ids as typeof ids,
    since: {
      type: "string",
      format: "date-time",
      description: "Without invocation_ids: only invocations that started after this.",
    },
    version: {
      type: "string",
      maxLength: 200,
      default: "latest",
      description: "An exact version, `latest` or a constraint.",
    },
    set: changesSchema as typeof changesSchema,
    dry_run: { type: "boolean", default: false },
    allow_missing_context: {
      type: "boolean",
      default: false,
      description:
        "Whether to repeat invocations without their user variables and conversation, which history does not keep.",
    },
    limit: { type: "integer", minimum: 1, maximum: 1_000, default: 100 },
  },
} as const;

const retryEntry = {
  type: "object",
  properties: {
    invocation_id: { type: "string" },
    // The new invocation.
    retried_as: textOrNull as typeof textOrNull,
    status: { type: "string", enum: ["succeeded", "failed", "skipped", "would-run"] },
    version: textOrNull as typeof textOrNull,
    // The error, or why it was skipped.
    detail: textOrNull as typeof textOrNull,
  },
  required: ["invocation_id", "retried_as", "status", "version", "detail"],
} as const;

/** What became of the invocations. */
export const retryReply = {
  type: "object",
  properties: {
    retries: { type: "array", items: retryEntry as typeof retryEntry },
    succeeded: { type: "integer" },
    failed: { type: "integer" },
    skipped: { type: "integer" },
    // Whether there are more than `limit`.
    has_more: { type: "boolean" },
  },
  required: ["retries", "succeeded", "failed", "skipped", "has_more"],
} as const;

/** Which invocations to repeat, and how. */
export type RetryRequest = Wire<typeof retryBody>;

/** The same with defaults filled in. */
export type FilledRetryRequest = Filled<typeof retryBody>;

/** What became of one invocation. */
export type Retry = Wire<typeof retryEntry>;

/** What became of the invocations. */
export type RetryResults = Wire<typeof retryReply>;
