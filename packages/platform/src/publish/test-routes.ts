import type { JsonSchema } from "@haft/contract";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { InvokeInput } from "../invoke/invoke-request.ts";
import { inputsSchema, invokeResponseSchema } from "../invoke/invoke-schema.ts";
import { toInvocationResult } from "../invoke/to-invocation-result.ts";
import type { Tester } from "./create-tester.ts";

interface TestBody {
  readonly inputs: readonly InvokeInput[];
  readonly commit_branch: string;
  readonly project_path: string;
  readonly required_envvars: Readonly<Record<string, string>>;
  readonly required_secret_envvars: Readonly<Record<string, string>>;
}

/** Returns the route that runs a tool from any branch without publishing it. */
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
        response: { 200: invokeResponseSchema },
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
        return { status: 200, body: { invocation_results: results.map(toInvocationResult) } };
      },
    }),
  ];
}

const variables = {
  type: "object",
  additionalProperties: { type: "string" },
  default: {},
} as const;

const testBody: JsonSchema = {
  type: "object",
  properties: {
    inputs: inputsSchema,
    commit_branch: { type: "string", minLength: 1, maxLength: 500 },
    project_path: { type: "string", pattern: "^[-\\w\\d_/]+$", maxLength: 500 },
    required_envvars: variables,
    required_secret_envvars: variables,
  },
  required: ["inputs", "commit_branch", "project_path"],
};
