import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";
import { versionNumber } from "../versions/version-schemas.ts";
import { logs } from "./log-schemas.ts";
import { type SearchField, searchFields } from "./search-query.ts";
import {
  callerClients,
  callerKeys,
  callerUsers,
  invocationCaller,
  invocationSource,
  nullableText,
} from "./source-schemas.ts";

const ids = {
  type: "array",
  uniqueItems: true,
  items: { type: "string", pattern: idPattern as string },
  default: [],
} as const;

const invocationStatus = {
  oneOf: [
    {
      type: "object",
      properties: { succeeded: { type: "boolean", const: true }, output: { type: "string" } },
      required: ["succeeded", "output"],
    },
    {
      type: "object",
      properties: {
        succeeded: { type: "boolean", const: false },
        exception_message: { type: "string" },
        exception_type: { type: "string" },
        exception_stack_trace: { type: "array", items: { type: "string" } },
      },
      required: ["succeeded", "exception_message", "exception_type", "exception_stack_trace"],
    },
  ],
} as const;

/** One invocation of history. */
export const invocationReply = {
  type: "object",
  properties: {
    id: { type: "string" },
    org_id: { type: "string" },
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
    invocation_status: invocationStatus as typeof invocationStatus,
    invocation_source: invocationSource as typeof invocationSource,
    caller: invocationCaller as typeof invocationCaller,
    duration_ms: { type: "integer" },
    tool_id: { type: "string" },
    tool_version: versionNumber as typeof versionNumber,
    inputs: { type: "object", additionalProperties: true },
    // The invocation that it repeats, and those that repeat it.
    retry_of: nullableText as typeof nullableText,
    retried_by: { type: "array", items: { type: "string" } },
    // What it was given and history does not keep, such as `user variables`.
    unrecorded: nullableText as typeof nullableText,
    logs: logs as typeof logs,
  },
  required: [
    "id",
    "org_id",
    "created_at",
    "updated_at",
    "invocation_status",
    "invocation_source",
    "caller",
    "duration_ms",
    "tool_id",
    "tool_version",
    "inputs",
    "retry_of",
    "retried_by",
    "unrecorded",
  ],
} as const;

/** The result of a search. */
export const foundInvocations = {
  type: "object",
  properties: {
    tool_invocations: { type: "array", items: invocationReply as typeof invocationReply },
  },
  required: ["tool_invocations"],
} as const;

/** A page of history. */
export const invocationPage = {
  type: "object",
  properties: {
    tool_invocations: { type: "array", items: invocationReply as typeof invocationReply },
    has_more: { type: "boolean" },
    continuation_token: { anyOf: [{ type: "integer" }, { type: "null" }] },
  },
  required: ["tool_invocations", "has_more", "continuation_token"],
} as const;

const sourceTypes = {
  type: "array",
  uniqueItems: true,
  items: {
    type: "string",
    enum: [
      "regular-conversation",
      "simulation-conversation",
      "direct",
      "conversation",
      "simulation",
      "mcp",
      "schedule",
    ],
  },
  default: [],
} as const;

const succeeded = { anyOf: [{ type: "boolean" }, { type: "null" }] } as const;

/** Which invocations to list. */
export const invocationQuery = {
  type: "object",
  properties: {
    tool_id: ids as typeof ids,
    invocation_source_type: sourceTypes as typeof sourceTypes,
    conversation_id: ids as typeof ids,
    simulation_unit_test_set_run_id: ids as typeof ids,
    succeeded: succeeded as typeof succeeded,
    api_key: callerKeys as typeof callerKeys,
    user_id: callerUsers as typeof callerUsers,
    client: callerClients as typeof callerClients,
    version: { type: "array", items: { type: "string" }, default: [] },
    limit: { type: "integer", minimum: 0, maximum: 100, default: 100 },
    continuation_token: {
      type: "integer",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER as number,
      default: 0,
    },
    sort_by: { type: "array", items: { type: "string" }, default: [] },
    input: {
      type: "array",
      maxItems: 10,
      items: { type: "string", maxLength: 2_000 },
      default: [],
      description:
        "Only invocations whose input has this value, such as `customer.id=7`. A page can then have fewer rows than `limit` and still be followed by others.",
    },
    with_logs: {
      type: "boolean",
      default: false,
      description: "Whether each invocation has `logs`, which is what it printed.",
    },
  },
} as const;

const searched = [
  ...searchFields.map((field) => `invocation_status.${field}` as const),
  // What the tool printed, if the caller may read it.
  "logs" as const,
];

/** Which invocations to search, and for what. */
export const searchQuery = {
  type: "object",
  properties: {
    query: { type: "string" },
    query_against: {
      type: "array",
      uniqueItems: true,
      minItems: 1,
      items: {
        type: "string",
        enum: searched as ("logs" | `invocation_status.${SearchField}`)[],
      },
      default: searched as string[],
    },
    tool_id: ids as typeof ids,
    invocation_source_type: sourceTypes as typeof sourceTypes,
    conversation_id: ids as typeof ids,
    simulation_unit_test_set_run_id: ids as typeof ids,
    succeeded: succeeded as typeof succeeded,
    api_key: callerKeys as typeof callerKeys,
    user_id: callerUsers as typeof callerUsers,
    client: callerClients as typeof callerClients,
    with_logs: {
      type: "boolean",
      default: false,
      description: "Whether each invocation has `logs`, if the caller may read history.",
    },
  },
  required: ["query"],
} as const;

/** One invocation in a path. */
export const invocationParams = {
  type: "object",
  properties: {
    organization: { type: "string" },
    invocation_id: { type: "string", pattern: idPattern as string },
  },
  required: ["organization", "invocation_id"],
} as const;

/** One invocation of history, as the API shows it. */
export type Invocation = Wire<typeof invocationReply>;

/** How an invocation ended. */
export type InvocationStatus = Wire<typeof invocationStatus>;

/** A page of history. */
export type InvocationPage = Wire<typeof invocationPage>;

/** Which invocations to list. */
export type InvocationQuery = Wire<typeof invocationQuery>;

/** Which invocations to list, with defaults filled in. */
export type FilledInvocationQuery = Filled<typeof invocationQuery>;

/** Which invocations to search, and for what. */
export type InvocationSearch = Wire<typeof searchQuery>;

/** Which invocations to search, with defaults filled in. */
export type FilledInvocationSearch = Filled<typeof searchQuery>;

/** The interactions or the simulation that were rolled back. */
export const rollbackBody = {
  type: "object",
  properties: {
    conversation_id: { type: "string", pattern: idPattern as string },
    interaction_ids: {
      type: "array",
      maxItems: 1_000,
      items: { type: "string", pattern: idPattern as string },
    },
    simulation_unit_test_set_run_id: { type: "string", pattern: idPattern as string },
  },
} as const;

/** The number of invocations that were rolled back. */
export const rollbackReply = {
  type: "object",
  properties: { rolled_back: { type: "integer" } },
  required: ["rolled_back"],
} as const;

/** The interactions or the simulation that were rolled back. */
export type RollbackRequest = Wire<typeof rollbackBody>;
