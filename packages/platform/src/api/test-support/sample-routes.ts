import { text } from "node:stream/consumers";
import { Problem } from "../../problem.ts";
import { type AnyRoute, defineOpenRoute, defineRoute, type ServerSentEvent } from "../route.ts";

const id = { type: "string", pattern: "^[a-f0-9]{24}$" } as const;
const organizationOnly = {
  type: "object",
  properties: { organization: { type: "string" } },
  required: ["organization"],
} as const;
const withTool = {
  type: "object",
  properties: { organization: { type: "string" }, tool_id: id },
  required: ["organization", "tool_id"],
} as const;

export const listUrl = "/v1/:organization/tool/";
export const invokeUrl = "/v1/:organization/tool/:tool_id/version/:version/invoke";

const list = defineRoute({
  method: "GET",
  url: listUrl,
  operationId: "get-tools",
  summary: "Lists tools.",
  permission: null,
  schema: {
    params: organizationOnly,
    querystring: {
      type: "object",
      properties: {
        id: { type: "array", uniqueItems: true, items: id, default: [] },
        deprecated: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        sort_by: { type: "array", items: { type: "string" }, default: [] },
        limit: { type: "integer", maximum: 20, exclusiveMinimum: 0, default: 10 },
      },
    },
    response: {
      200: {
        type: "object",
        properties: { query: { type: "object" } },
        required: ["query"],
      },
    },
  },
  handle: async ({ query }) => ({ status: 200, body: { query, extra: "kept" } }),
});

const create = defineRoute<{ readonly tool_name: string }>({
  method: "POST",
  url: listUrl,
  operationId: "create-tool",
  summary: "Creates a tool.",
  permission: "Tool:CreateTool",
  schema: {
    params: organizationOnly,
    body: {
      type: "object",
      properties: {
        tool_name: { type: "string", minLength: 1, maxLength: 64 },
        tags: {
          type: "object",
          additionalProperties: { anyOf: [{ type: "string" }, { type: "null" }] },
          default: {},
        },
      },
      required: ["tool_name"],
    },
    response: {
      201: {
        type: "object",
        properties: { tool_id: { type: "string" }, body: { type: "object" } },
        required: ["tool_id"],
      },
    },
  },
  handle: async ({ body }) => {
    if (body.tool_name === "taken") throw new Problem(409, "There is a tool of this name.");
    if (body.tool_name === "broken") throw new Error("secret detail of a fault");
    return { status: 201, body: { tool_id: "d".repeat(24), body } };
  },
});

const invoke = defineRoute<{ readonly inputs: readonly unknown[] }>({
  method: "POST",
  url: invokeUrl,
  operationId: "invoke-tool-version",
  summary: "Invokes a version of a tool.",
  permission: "Tool:InvokeTool",
  schema: {
    params: {
      type: "object",
      properties: { ...withTool.properties, version: { type: "string", minLength: 1 } },
      required: ["organization", "tool_id", "version"],
    },
    body: {
      type: "object",
      properties: {
        inputs: {
          type: "array",
          minItems: 1,
          maxItems: 10,
          items: {
            type: "object",
            properties: {
              input_parameters: { type: "object", additionalProperties: true },
              invocation_mode: { type: "string", enum: ["regular", "conversation-simulation"] },
              sensitive_user_variables: {
                type: "object",
                additionalProperties: { type: "string" },
                default: {},
              },
            },
            required: ["input_parameters", "invocation_mode"],
          },
        },
      },
      required: ["inputs"],
    },
    response: {
      200: {
        type: "object",
        properties: { results: { type: "array", items: { type: "object" } } },
        required: ["results"],
      },
    },
  },
  handle: async ({ body }) => ({
    status: 200,
    body: { results: body.inputs.map(() => ({ succeeded: true, output: "ok", duration_ms: 1 })) },
    headers: { "x-tool-version": "1.2.3" },
  }),
});

const remove = defineRoute({
  method: "DELETE",
  url: "/v1/:organization/tool/:tool_id",
  operationId: "deprecate-tool",
  summary: "Deprecates a tool.",
  permission: ["Tool:DeleteTool", "Tool:ModifyTool"],
  schema: { params: withTool, response: { 204: null } },
  handle: async () => ({ status: 204 }),
});

const signIn = defineOpenRoute({
  method: "POST",
  url: "/v1/:organization/user/signin_with_api_key",
  operationId: "sign-in-with-api-key",
  summary: "Signs in.",
  schema: {
    params: organizationOnly,
    headers: {
      type: "object",
      properties: { "x-api-key": { type: "string" }, "x-api-key-id": { type: "string" } },
      required: ["x-api-key", "x-api-key-id"],
    },
    response: { 200: { type: "object", properties: { id_token: { type: "string" } } } },
  },
  handleOpen: async () => ({ status: 200, body: { id_token: "a token" } }),
});

/** Routes of every kind, small, as an area would write them. */
export const sampleRoutes: readonly AnyRoute[] = [
  list,
  create,
  invoke,
  remove,
  signIn,
  {
    methods: ["GET", "POST"],
    url: "/v1/:organization/tool/git/*",
    operationId: "access-git-interface",
    summary: "Serves git.",
    permission: "Tool:AccessRepo",
    basic: true,
    handleRaw: async (request, response, { principal, params }) => {
      if (params["*"] === "refused") throw new Problem(404, "There is no such repository.");
      const body = await text(request);
      response.end(JSON.stringify({ user: principal.userId, rest: params["*"], body }));
    },
  },
];

/** A route whose answer is a stream of the events that it is given. */
export function eventsRoute(
  open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
): AnyRoute {
  return defineRoute({
    method: "GET",
    url: "/v1/:organization/events",
    operationId: "get-events",
    summary: "Streams events.",
    permission: null,
    schema: { params: organizationOnly, response: { 200: { type: "string" } } },
    handle: async ({ signal }) => ({ status: 200, events: open(signal) }),
  });
}
