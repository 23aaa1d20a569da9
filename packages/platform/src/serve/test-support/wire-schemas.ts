import type { JsonSchema } from "@haft/contract";

/** One operation of the published interface, and what it may answer. */
export interface WireOperation {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Without `/v1/{organization}/`; what stands in braces is anything. */
  readonly path: string;
  /** The status of success, and the shape of its body: none if it is empty or no JSON. */
  readonly ok: number;
  readonly schema?: JsonSchema;
  readonly type?: string;
  /** Failures, beside those that every operation has. */
  readonly failures?: readonly number[];
}

const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };
const truth: JsonSchema = { type: "boolean" };
const moment: JsonSchema = { type: "string", format: "date-time" };
const texts = listOf(text);
const anyObject: JsonSchema = { type: "object", additionalProperties: true };

function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** An object of which everything is required but what is named. */
function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** Of the kinds that `member` tells apart it is exactly one. */
function oneOf(...kinds: readonly JsonSchema[]): JsonSchema {
  return { oneOf: kinds };
}

const moments = { created_at: moment, updated_at: moment };
const momentNames = ["created_at", "updated_at"];
const user = objectOf({ org_id: text, user_id: text });
const versionUser = objectOf({ user_id: text, user_org_id: text });
const version = objectOf({ major: whole, minor: whole, patch: whole });

const apiKey = objectOf({
  ...{ _id: text, name: orNull(text), org_id: text, ...moments, key_id: text },
  ...{ expires_at: moment, creator: user, role_id: text },
});

const tool = objectOf(
  {
    ...{ id: text, org_id: text, ...moments, name: text, description: text, deprecated: truth },
    ...{ envvars: texts, secret_envvars: texts },
    tags: listOf(objectOf({ key: text, value: orNull(text) })),
    ...{ creator: user, updated_by: user },
  },
  momentNames,
);

const toolVersion = objectOf(
  {
    ...{ id: text, org_id: text, ...moments, tool_id: text, version },
    ...{ required_envvars: texts, required_secret_envvars: texts, input_schema: anyObject },
    output_schema: { anyOf: [anyObject, { type: "null" }] },
    ...{ tool_commit_hash: text, amigo_scaffold_commit_hash: text, project_directory: text },
    ...{ lambda_version: whole, creator: versionUser, updated_by: versionUser, deprecated: truth },
  },
  momentNames,
);

const succeeded = { succeeded: { type: "boolean", const: true }, output: text } as const;
const failed = {
  succeeded: { type: "boolean", const: false },
  exception_message: text,
  exception_type: text,
  exception_stack_trace: texts,
} as const;
// The name that tells the two apart is always said here, though a reader may do without it.
const status = oneOf(objectOf(succeeded), objectOf(failed));
const result = oneOf(
  objectOf({ ...succeeded, duration_ms: whole }),
  objectOf({ ...failed, duration_ms: whole }),
);
const results = objectOf({ invocation_results: listOf(result) });

const machine: JsonSchema = {
  ...{ type: "array", prefixItems: [text, whole], minItems: 2, maxItems: 2 },
};
const named = (type: string, members: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  objectOf({ type: { type: "string", const: type }, ...members });
const metadata = oneOf(
  named("state-transition", {
    ...{ current_state_machine_and_version: machine, state_name: text },
    ...{ state_transition_index: whole, tool_call_round_index: whole },
  }),
  named("engage-user", {
    ...{ current_state_machine_and_version: machine, tool_call_round_index: whole },
  }),
  named("tool-call-state", { current_state_machine_and_version: machine, state_name: text }),
);
const source = oneOf(
  named("regular-conversation", {
    ...{ user_id: text, conversation_id: orNull(text), interaction_id: orNull(text) },
    invocation_metadata: metadata,
  }),
  named("simulation-conversation", {
    ...{ simulation_unit_test_set_run_id: orNull(text), unit_test_id: orNull(text) },
    ...{ run_index: orNull(whole), invocation_metadata: metadata },
  }),
  // An addition of ours: a call without an agent, by the user alone.
  named("direct", { user_id: text }),
);
const invocation = objectOf(
  {
    ...{ id: text, org_id: text, ...moments, invocation_status: status },
    ...{ invocation_source: source, duration_ms: whole, tool_id: text, tool_version: version },
    inputs: anyObject,
  },
  momentNames,
);

const page = { has_more: truth, continuation_token: {} };
const json = "application/json";
const operation = (
  operationId: string,
  place: `${WireOperation["method"]} ${string}`,
  answers: Pick<WireOperation, "ok" | "schema" | "type" | "failures">,
): WireOperation => {
  const [method, path] = place.split(" ") as [WireOperation["method"], string];
  const type = answers.schema === undefined ? {} : { type: json };
  return { operationId, method, path, ...type, ...answers };
};

/** Failures that every operation has. */
export const commonFailures: readonly number[] = [401, 403, 404, 422, 429, 503];

/** What a body of 422 looks like. */
export const validationError: JsonSchema = objectOf({
  detail: listOf(
    objectOf(
      {
        loc: listOf({ anyOf: [text, whole] }),
        ...{ msg: text, type: text, input: {}, ctx: { type: "object" } },
      },
      ["input", "ctx"],
    ),
  ),
});

/** What the body of every other failure looks like. */
export const otherError: JsonSchema = objectOf({ detail: text });

/** Every operation of the interface but git's, which speaks another protocol. */
export const wireOperations: readonly WireOperation[] = [
  operation("create-api-key", "POST organization/api_key/", {
    ok: 201,
    schema: objectOf({ api_key_id: text, api_key: text, expires_at: moment }),
    failures: [400, 409],
  }),
  operation("get-api-keys", "GET organization/api_key/", {
    ok: 200,
    schema: objectOf({ api_keys: listOf(apiKey) }),
  }),
  operation("delete-api-key", "DELETE organization/api_key/{id}/", {
    ok: 200,
    schema: objectOf({ deleted_key_id: text }),
  }),
  operation("sign-in-with-api-key", "POST user/signin_with_api_key", {
    ok: 200,
    schema: objectOf({ id_token: text, expires_at: moment }),
  }),
  operation("modify-user-variables", "POST user/{id}/variable", { ok: 204, failures: [400] }),
  operation("get-tool-scaffold-release", "GET tool/amigo_tool_scaffold.tar.gz", {
    ok: 200,
    type: "application/gzip",
  }),
  operation("create-tool", "POST tool/", {
    ok: 201,
    schema: objectOf({ id: text }),
    failures: [400, 409],
  }),
  operation("get-tools", "GET tool/", {
    ok: 200,
    schema: objectOf({
      ...{ tools: listOf(tool), ...page, filter_values: orNull(objectOf({ tags: texts })) },
    }),
  }),
  // 409 is the seed's: an operation on the tool is under way.
  operation("deprecate-tool-version", "DELETE tool/{id}/version/{versions}", {
    ok: 204,
    failures: [409],
  }),
  operation("deprecate-tool", "DELETE tool/{id}", { ok: 204, failures: [409] }),
  operation("test-tool", "POST tool/test", { ok: 200, schema: results, failures: [400] }),
  operation("modify-tool", "POST tool/{id}", { ok: 204 }),
  operation("modify-tool-envvars", "POST tool/{id}/envvar", { ok: 204, failures: [400, 409] }),
  operation("publish-tool-version", "POST tool/{id}/version", {
    ok: 201,
    schema: objectOf({ new_version: text }),
    failures: [400, 409],
  }),
  operation("get-tool-versions", "GET tool/{id}/version", {
    ok: 200,
    schema: objectOf({
      ...{ tool_versions: listOf(toolVersion), ...page },
      filter_values: orNull(objectOf({ creators: listOf(versionUser) })),
    }),
  }),
  operation("get-tool-invocations", "GET tool/invocation", {
    ok: 200,
    schema: objectOf({ tool_invocations: listOf(invocation), ...page }),
    failures: [400],
  }),
  operation("search-tool-invocations", "GET tool/invocation/search", {
    ok: 200,
    schema: objectOf({ tool_invocations: listOf(invocation) }),
  }),
  operation("invoke-tool-version", "POST tool/{id}/version/{version}/invoke", {
    ok: 200,
    schema: results,
    failures: [400],
  }),
];
