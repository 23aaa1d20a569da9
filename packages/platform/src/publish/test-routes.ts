import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { JsonObject } from "../json.ts";
import type { InvocationMode, ToolRunResult } from "../runner/runner.ts";
import type { Tester } from "./create-tester.ts";

interface TestBody {
  readonly inputs: readonly InputBody[];
  readonly commit_branch: string;
  readonly project_path: string;
  readonly required_envvars: Readonly<Record<string, string>>;
  readonly required_secret_envvars: Readonly<Record<string, string>>;
}

interface InputBody {
  readonly input_parameters: JsonObject;
  readonly invocation_mode: InvocationMode;
  readonly nonsensitive_user_variables: Readonly<Record<string, string>>;
  readonly sensitive_user_variables: Readonly<Record<string, string>>;
}

/** Trying a tool from any branch, without publishing it. */
export function testRoutes({ tester }: { readonly tester: Tester }): readonly AnyRoute[] {
  return [
    defineRoute<TestBody>({
      method: "POST",
      url: "/v1/:organization/tool/test",
      operationId: "test-tool",
      summary: "Checks and builds a tool from a branch, and runs it with the given inputs.",
      permission: null,
      schema: {
        params: {
          type: "object",
          properties: { organization: { type: "string" } },
          required: ["organization"],
        },
        body: testBody,
        response: { 200: testResponse },
      },
      handle: async ({ principal, body, signal }) => {
        const order = {
          branch: body.commit_branch,
          projectPath: body.project_path,
          envvars: body.required_envvars,
          secretEnvvars: body.required_secret_envvars,
          inputs: body.inputs.map((input) => ({
            parameters: input.input_parameters,
            mode: input.invocation_mode,
            userVariables: input.nonsensitive_user_variables,
            sensitiveUserVariables: input.sensitive_user_variables,
          })),
        };
        const results = await tester.test(principal, order, signal);
        return { status: 200, body: { invocation_results: results.map(toWire) } };
      },
    }),
  ];
}

function toWire(result: ToolRunResult): JsonObject {
  const duration_ms = Math.round(result.durationMs);
  if (result.succeeded) return { succeeded: true, output: result.output, duration_ms };
  return {
    succeeded: false,
    exception_message: result.exceptionMessage,
    exception_type: result.exceptionType,
    exception_stack_trace: result.exceptionStackTrace,
    duration_ms,
  };
}

const userVariables = {
  type: "object",
  additionalProperties: { type: "string" },
  propertyNames: { type: "string", minLength: 1, pattern: "^[a-z_][a-z0-9_]+$" },
  maxProperties: 20,
  default: {},
} as const;

const variables = { type: "object", additionalProperties: { type: "string" } } as const;

const testBody = {
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
          nonsensitive_user_variables: userVariables,
          sensitive_user_variables: userVariables,
        },
        required: ["input_parameters", "invocation_mode"],
      },
    },
    commit_branch: { type: "string", minLength: 1, maxLength: 500 },
    project_path: { type: "string", pattern: "^[-\\w\\d_/]+$", maxLength: 500 },
    required_envvars: { ...variables, default: {} },
    required_secret_envvars: { ...variables, default: {} },
  },
  required: ["inputs", "commit_branch", "project_path"],
} as const;

const duration = { type: "integer" } as const;

const testResponse = {
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
              duration_ms: duration,
            },
            required: ["output", "duration_ms"],
          },
          {
            type: "object",
            properties: {
              succeeded: { type: "boolean", const: false },
              exception_message: { type: "string" },
              exception_type: { type: "string" },
              exception_stack_trace: { type: "array", items: { type: "string" } },
              duration_ms: duration,
            },
            required: [
              ...["exception_message", "exception_type", "exception_stack_trace", "duration_ms"],
            ],
          },
        ],
      },
    },
  },
  required: ["invocation_results"],
} as const;
