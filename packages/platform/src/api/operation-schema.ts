import type { JsonSchema } from "@haft/contract";
import type { FastifySchema } from "fastify";
import type { AnyRoute, RawRoute } from "./route.ts";

/** The description of one operation, for the OpenAPI generator. */
export interface OperationSchema extends FastifySchema {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The error responses of every operation. `detail` is a sentence, except for 422. */
const errors: Readonly<Record<number, string>> = {
  400: "The request is not valid.",
  401: "The credential is missing or not valid.",
  403: "The role of the key does not allow this.",
  404: "Not found in this organization, or no such organization.",
  409: "The request conflicts with the current state.",
  413: "The body is too large.",
  429: "There were too many requests.",
  500: "Something went wrong on the server.",
  503: "The server is stopping or not ready.",
};

/** Schemas that operations share, for `components` of the document. */
export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  ErrorResponse: {
    type: "object",
    properties: { detail: { type: "string", description: "What is wrong and what to do." } },
    required: ["detail"],
  },
  ValidationError: {
    type: "object",
    properties: {
      loc: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
      msg: { type: "string" },
      type: { type: "string" },
      input: {},
      ctx: { type: "object" },
    },
    required: ["loc", "msg", "type"],
  },
  HTTPValidationError: {
    type: "object",
    properties: {
      detail: { type: "array", items: { $ref: "#/components/schemas/ValidationError" } },
      // All of it in one sentence.
      message: { type: "string" },
    },
  },
};

/** Describes a route, or one method of it, with the schemas that requests are checked by. */
export function toOperation(route: AnyRoute, method = ""): OperationSchema {
  const raw = "handleRaw" in route;
  const { params, querystring, headers, body } = raw ? rawSchema : route.schema;
  const response = raw ? { 200: toRawAnswer(route) } : route.schema.response;
  return {
    operationId: raw ? toMethodId(route, method) : route.operationId,
    summary: route.summary,
    description: describePermissions(route),
    tags: [toTag(route.url)],
    security: toSecurity(route),
    params: withOrganization(route.url, params),
    ...(querystring === undefined ? {} : { querystring }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    response: { ...toErrors(route), ...toAnswers(response) },
  };
}

/** Ids must be unique: only the first method has the plain one. */
function toMethodId({ operationId, methods }: RawRoute, method: string): string {
  return method === methods[0] ? operationId : `${operationId}-${method.toLowerCase()}`;
}

const rawSchema = {
  params: undefined,
  querystring: undefined,
  headers: undefined,
  body: undefined,
} as const;

function toRawAnswer({ basic }: RawRoute): JsonSchema {
  const protocol = basic ? "git's smart HTTP protocol" : "the Model Context Protocol";
  return { description: `Defined by ${protocol}.`, type: "null" };
}

function describePermissions(route: AnyRoute): string {
  if ("handleOpen" in route) return "Needs no credential.";
  const needed = [route.permission ?? []].flat();
  if (needed.length === 0) return "Needs any credential of the organization.";
  return `Needs the permission ${needed.map((permission) => `\`${permission}\``).join(" and ")}.`;
}

function toSecurity(route: AnyRoute): OperationSchema["security"] {
  if ("handleOpen" in route) return [];
  return "handleRaw" in route && route.basic ? [{ basic: [] }, { bearer: [] }] : [{ bearer: [] }];
}

/** Returns the first word of the path that is not a version or a parameter. */
function toTag(url: string): string {
  const words = url.split("/").filter((part) => part !== "" && !/^(?:v\d+|:.*|\*)$/u.test(part));
  return words[0] ?? "server";
}

/** Every parameter of the path, described or not. */
function withOrganization(url: string, params: JsonSchema | undefined): JsonSchema {
  const names = [...url.matchAll(/:(\w+)/gu)].map(([, name]) => name as string);
  if (url.endsWith("*")) names.push("*");
  const described = params?.properties ?? {};
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name, described[name] ?? { type: "string" }]),
    ),
    required: names,
  };
}

function toErrors(route: AnyRoute): Record<number, JsonSchema> {
  const open = "handleOpen" in route;
  const described: Record<number, JsonSchema> = {};
  for (const [status, description] of Object.entries(errors)) {
    if (open && status === "403") continue;
    described[Number(status)] = withContent(description, "ErrorResponse");
  }
  described[422] = withContent("The request does not have the right shape.", "HTTPValidationError");
  return described;
}

function withContent(description: string, name: string): JsonSchema {
  const schema = { $ref: `#/components/schemas/${name}` };
  return { description, content: { "application/json": { schema } } };
}

function toAnswers(
  response: Readonly<Record<number, JsonSchema | null>>,
): Record<number, JsonSchema> {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [status, toAnswer(schema)]),
  );
}

/** A reply that is not JSON has a `contentMediaType`, such as `application/gzip`. */
function toAnswer(schema: JsonSchema | null): JsonSchema {
  const { description = "Done.", contentMediaType: type } = schema ?? {};
  if (typeof type !== "string") return { description, ...(schema ?? { type: "null" }) };
  return { description, content: { [type]: { schema } } };
}
