import type { JsonSchema } from "@haft/contract";
import { idPattern } from "../new-id.ts";
import { searchFields } from "./search-query.ts";

const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };
const id: JsonSchema = { type: "string", pattern: idPattern };
const ids: JsonSchema = {
  type: "array",
  uniqueItems: true,
  items: id,
  default: [],
};
const texts: JsonSchema = { type: "array", items: text };
const moment: JsonSchema = { type: "string", format: "date-time" };
const nullable = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: "null" }],
});

/** An object of which everything is always there. */
function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

const only = (value: string | boolean): JsonSchema => ({
  type: typeof value === "string" ? "string" : "boolean",
  const: value,
});

const machine: JsonSchema = {
  type: "array",
  prefixItems: [text, whole],
  minItems: 2,
  maxItems: 2,
};

const invocationMetadata: JsonSchema = {
  oneOf: [
    closed({
      type: only("state-transition"),
      current_state_machine_and_version: machine,
      state_name: text,
      state_transition_index: whole,
      tool_call_round_index: whole,
    }),
    closed({
      type: only("engage-user"),
      current_state_machine_and_version: machine,
      tool_call_round_index: whole,
    }),
    closed({
      type: only("tool-call-state"),
      current_state_machine_and_version: machine,
      state_name: text,
    }),
  ],
};

const invocationSource: JsonSchema = {
  oneOf: [
    closed({
      type: only("regular-conversation"),
      user_id: text,
      conversation_id: nullable(text),
      interaction_id: nullable(text),
      invocation_metadata: nullable(invocationMetadata),
    }),
    closed({
      type: only("simulation-conversation"),
      simulation_unit_test_set_run_id: nullable(text),
      unit_test_id: nullable(text),
      run_index: nullable(whole),
      invocation_metadata: nullable(invocationMetadata),
    }),
    closed({ type: only("direct"), user_id: text }),
  ],
};

const invocationStatus: JsonSchema = {
  oneOf: [
    closed({ succeeded: only(true), output: text }),
    closed({
      succeeded: only(false),
      exception_message: text,
      exception_type: text,
      exception_stack_trace: texts,
    }),
  ],
};

/** One invocation of history. */
export const invocationReply: JsonSchema = closed({
  id: text,
  org_id: text,
  created_at: moment,
  updated_at: moment,
  invocation_status: invocationStatus,
  invocation_source: invocationSource,
  duration_ms: whole,
  tool_id: text,
  tool_version: closed({ major: whole, minor: whole, patch: whole }),
  inputs: { type: "object", additionalProperties: true },
});

/** What a search found. */
export const foundInvocations: JsonSchema = closed({
  tool_invocations: { type: "array", items: invocationReply },
});

/** A page of history. */
export const invocationPage: JsonSchema = closed({
  tool_invocations: { type: "array", items: invocationReply },
  has_more: { type: "boolean" },
  continuation_token: nullable(whole),
});

const filters = {
  tool_id: ids,
  invocation_source_type: {
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
      ],
    },
    default: [],
  },
  conversation_id: ids,
  simulation_unit_test_set_run_id: ids,
  succeeded: nullable({ type: "boolean" }),
} as const;

/** Which invocations to list. */
export const invocationQuery: JsonSchema = {
  type: "object",
  properties: {
    ...filters,
    version: { ...texts, default: [] },
    limit: { type: "integer", minimum: 0, maximum: 100, default: 100 },
    continuation_token: {
      type: "integer",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
    },
    sort_by: { ...texts, default: [] },
  },
};

const searched = searchFields.map((field) => `invocation_status.${field}`);

/** Which invocations to search, and for what. */
export const searchQuery: JsonSchema = {
  type: "object",
  properties: {
    query: text,
    query_against: {
      type: "array",
      uniqueItems: true,
      minItems: 1,
      items: { type: "string", enum: searched },
      default: searched,
    },
    ...filters,
  },
  required: ["query"],
};

/** One invocation in a path. */
export const invocationParams: JsonSchema = closed({
  organization: text,
  invocation_id: id,
});

/** What was taken back. */
export const rollbackBody: JsonSchema = {
  type: "object",
  properties: {
    conversation_id: id,
    interaction_ids: { type: "array", maxItems: 1_000, items: id },
    simulation_unit_test_set_run_id: id,
  },
};

/** How many invocations were let go of. */
export const rollbackReply: JsonSchema = closed({ rolled_back: whole });
