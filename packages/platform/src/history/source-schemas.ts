const machine = {
  type: "array",
  prefixItems: [{ type: "string" }, { type: "integer" }],
  minItems: 2,
  maxItems: 2,
} as const;

const invocationMetadata = {
  anyOf: [
    {
      oneOf: [
        {
          type: "object",
          properties: {
            type: { type: "string", const: "state-transition" },
            current_state_machine_and_version: machine as typeof machine,
            state_name: { type: "string" },
            state_transition_index: { type: "integer" },
            tool_call_round_index: { type: "integer" },
          },
          required: [
            "type",
            "current_state_machine_and_version",
            "state_name",
            "state_transition_index",
            "tool_call_round_index",
          ],
        },
        {
          type: "object",
          properties: {
            type: { type: "string", const: "engage-user" },
            current_state_machine_and_version: machine as typeof machine,
            tool_call_round_index: { type: "integer" },
          },
          required: ["type", "current_state_machine_and_version", "tool_call_round_index"],
        },
        {
          type: "object",
          properties: {
            type: { type: "string", const: "tool-call-state" },
            current_state_machine_and_version: machine as typeof machine,
            state_name: { type: "string" },
          },
          required: ["type", "current_state_machine_and_version", "state_name"],
        },
      ],
    },
    { type: "null" },
  ],
} as const;

/** A text, or null. */
export const nullableText = { anyOf: [{ type: "string" }, { type: "null" }] } as const;

/** The conversation, simulation or request that an invocation belongs to. */
export const invocationSource = {
  oneOf: [
    {
      type: "object",
      properties: {
        type: { type: "string", const: "regular-conversation" },
        user_id: { type: "string" },
        conversation_id: nullableText as typeof nullableText,
        interaction_id: nullableText as typeof nullableText,
        invocation_metadata: invocationMetadata as typeof invocationMetadata,
      },
      required: ["type", "user_id", "conversation_id", "interaction_id", "invocation_metadata"],
    },
    {
      type: "object",
      properties: {
        type: { type: "string", const: "simulation-conversation" },
        simulation_unit_test_set_run_id: nullableText as typeof nullableText,
        unit_test_id: nullableText as typeof nullableText,
        run_index: { anyOf: [{ type: "integer" }, { type: "null" }] },
        invocation_metadata: invocationMetadata as typeof invocationMetadata,
      },
      required: [
        "type",
        "simulation_unit_test_set_run_id",
        "unit_test_id",
        "run_index",
        "invocation_metadata",
      ],
    },
    {
      type: "object",
      properties: { type: { type: "string", const: "direct" }, user_id: { type: "string" } },
      required: ["type", "user_id"],
    },
    {
      type: "object",
      properties: { type: { type: "string", const: "mcp" }, user_id: { type: "string" } },
      required: ["type", "user_id"],
    },
    {
      type: "object",
      properties: {
        type: { type: "string", const: "schedule" },
        user_id: { type: "string" },
        schedule_id: { type: "string" },
      },
      required: ["type", "user_id", "schedule_id"],
    },
  ],
} as const;

/** Who invoked a tool. */
export const invocationCaller = {
  anyOf: [
    {
      type: "object",
      description: "Who invoked the tool. Null for invocations of earlier versions of Haft.",
      properties: {
        api_key_id: { type: "string" },
        api_key_name: nullableText as typeof nullableText,
        user_id: { type: "string", description: "The user of the API key." },
        client: {
          anyOf: [{ type: "string" }, { type: "null" }],
          description: "The program, as it calls itself: a User-Agent, or a name over MCP.",
        },
      },
      required: ["api_key_id", "api_key_name", "user_id", "client"],
    },
    { type: "null" },
  ],
} as const;

/** Filter by API key. */
export const callerKeys = {
  type: "array",
  uniqueItems: true,
  maxItems: 100,
  items: { type: "string", minLength: 1, maxLength: 200 },
  default: [],
  description: "IDs or names of API keys.",
} as const;

/** Filter by user. */
export const callerUsers = {
  type: "array",
  uniqueItems: true,
  maxItems: 100,
  items: { type: "string", minLength: 1, maxLength: 200 },
  default: [],
  description: "IDs of users, whose API keys invoked the tools.",
} as const;

/** Filter by client. */
export const callerClients = {
  type: "array",
  uniqueItems: true,
  maxItems: 100,
  items: { type: "string", minLength: 1, maxLength: 200 },
  default: [],
  description: "How the names of clients begin, such as `curl`.",
} as const;
