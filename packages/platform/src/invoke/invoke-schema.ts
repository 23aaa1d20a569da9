import type { JsonSchema } from "@haft/contract";

const variables: JsonSchema = {
  type: "object",
  additionalProperties: { type: "string" },
  propertyNames: { type: "string", minLength: 1, pattern: "^[a-z_][a-z0-9_]+$" },
  maxProperties: 20,
  default: {},
};

const orNull = (type: "string" | "integer"): JsonSchema => ({
  anyOf: [{ type }, { type: "null" }],
});

const metadata: JsonSchema = {
  type: "object",
  properties: { type: { enum: ["engage-user", "state-transition", "tool-call-state"] } },
  required: ["type"],
};

const source: JsonSchema = {
  description: "On whose behalf the tool is invoked; the caller's own unless said.",
  anyOf: [
    {
      type: "object",
      properties: {
        type: { const: "regular-conversation" },
        user_id: { type: "string" },
        conversation_id: orNull("string"),
        interaction_id: orNull("string"),
        invocation_metadata: metadata,
      },
      required: ["type", "user_id", "conversation_id", "interaction_id", "invocation_metadata"],
    },
    {
      type: "object",
      properties: {
        type: { const: "simulation-conversation" },
        simulation_unit_test_set_run_id: orNull("string"),
        unit_test_id: orNull("string"),
        run_index: orNull("integer"),
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

/** The inputs of an invocation, as the wire has them. */
export const inputsSchema: JsonSchema = {
  type: "array",
  items: inputSchema,
  minItems: 1,
  maxItems: 10,
};

/** The body of a request to invoke a version. */
export const invokeBodySchema: JsonSchema = {
  type: "object",
  properties: {
    inputs: inputsSchema,
    source,
    conversation: { anyOf: [{ type: "object" }, { type: "null" }] },
  },
  required: ["inputs"],
};

/** How invocations ended, as the wire has it. */
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
