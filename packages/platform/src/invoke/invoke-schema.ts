import type { JsonSchema } from "@haft/contract";
import { logs } from "../history/log-schemas.ts";
import { idPattern } from "../new-id.ts";

const variables: JsonSchema = {
  type: "object",
  additionalProperties: { type: "string" },
  propertyNames: { type: "string", minLength: 1, pattern: "^[a-z_][a-z0-9_]+$" },
  maxProperties: 20,
  default: {},
};

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

// Limits of both databases, for values and for indexes.
const name: JsonSchema = { type: "string", maxLength: 500, pattern: "^[^\\u0000]*$" };
const index: JsonSchema = { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

const metadata: JsonSchema = {
  type: "object",
  properties: { type: { enum: ["engage-user", "state-transition", "tool-call-state"] } },
  required: ["type"],
};

const source: JsonSchema = {
  description: "On whose behalf the tool is invoked. Default: the caller's.",
  anyOf: [
    {
      type: "object",
      properties: {
        type: { const: "regular-conversation" },
        user_id: name,
        conversation_id: orNull(name),
        interaction_id: orNull(name),
        invocation_metadata: metadata,
      },
      required: ["type", "user_id", "conversation_id", "interaction_id", "invocation_metadata"],
    },
    {
      type: "object",
      properties: {
        type: { const: "simulation-conversation" },
        simulation_unit_test_set_run_id: orNull(name),
        unit_test_id: orNull(name),
        run_index: orNull(index),
        invocation_metadata: metadata,
      },
      required: [
        "type",
        "simulation_unit_test_set_run_id",
        "unit_test_id",
        "run_index",
        "invocation_metadata",
      ],
    },
    { type: "null" },
  ],
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    input_parameters: { type: "object", additionalProperties: true },
    invocation_mode: { type: "string", enum: ["regular", "conversation-simulation"] },
    nonsensitive_user_variables: variables,
    sensitive_user_variables: variables,
  },
  required: ["input_parameters", "invocation_mode"],
};

/** The schema of the inputs of an invocation. */
export const inputsSchema: JsonSchema = {
  type: "array",
  items: inputSchema,
  minItems: 1,
  maxItems: 10,
};

/** The schema of the body of an invoke request. */
export const invokeBodySchema: JsonSchema = {
  type: "object",
  properties: {
    inputs: inputsSchema,
    source,
    conversation: { anyOf: [{ type: "object" }, { type: "null" }] },
    webhook: {
      description:
        "ID of one of the organization's webhooks, which is told of the end whatever events it asks for. Only with `Prefer: respond-async`.",
      anyOf: [{ type: "string", pattern: idPattern }, { type: "null" }],
    },
  },
  required: ["inputs"],
};

// Present only if the record could not be written yet, or with `with_logs`.
const more: Readonly<Record<string, JsonSchema>> = {
  logs,
  invocation_id: { type: "string" },
  warning: { type: "string", description: "The tool ran, but its record is not written yet." },
};

/** The schema of the response to an invoke request. */
export const invokeResponseSchema: JsonSchema = {
  type: "object",
  properties: {
    invocation_results: {
      type: "array",
      items: {
        oneOf: [
          {
            type: "object",
            properties: {
              succeeded: { type: "boolean", const: true },
              output: { type: "string" },
              duration_ms: { type: "integer" },
              ...more,
            },
            required: ["succeeded", "output", "duration_ms"],
          },
          {
            type: "object",
            properties: {
              succeeded: { type: "boolean", const: false },
              exception_message: { type: "string" },
              exception_type: { type: "string" },
              exception_stack_trace: { type: "array", items: { type: "string" } },
              duration_ms: { type: "integer" },
              ...more,
            },
            required: [
              "succeeded",
              "exception_message",
              "exception_type",
              "exception_stack_trace",
              "duration_ms",
            ],
          },
        ],
      },
    },
  },
  required: ["invocation_results"],
};
