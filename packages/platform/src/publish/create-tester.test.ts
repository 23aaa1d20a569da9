import { describe, expect, it } from "vitest";
import type { Route } from "../api/route.ts";
import type { Principal } from "../auth/principal.ts";
import { defaultSettings } from "../platform-settings.ts";
import type { ToolProgram, ToolRun, ToolRunResult } from "../runner/runner.ts";
import { createTester } from "./create-tester.ts";
import { testRoutes } from "./test-routes.ts";
import { openParts } from "./test-support/publish-bench.ts";

const organization = "a".repeat(24);
const principal: Principal = {
  ...{ organization, userId: "b".repeat(24), keyId: "c".repeat(24), role: "any" },
  may: () => true,
};
const input = {
  ...{ input_parameters: { city: "Rome" }, invocation_mode: "regular" },
  ...{ nonsensitive_user_variables: { team: "red" }, sensitive_user_variables: { pin: "1234" } },
};

function openBench(manifest: Record<string, unknown> = {}): {
  test(body?: object): Promise<unknown>;
  readonly runs: [ToolProgram, ToolRun][];
} {
  const runs: [ToolProgram, ToolRun][] = [];
  const bench = {
    commits: ["1".repeat(40)],
    manifest: {
      inputSchema: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
      ...manifest,
    },
    whileBuilding: () => undefined,
  };
  const results: ToolRunResult[] = [
    { succeeded: true, output: "sunny", durationMs: 1.6 },
    {
      ...{ succeeded: false, exceptionType: "RangeError", exceptionMessage: "no" },
      ...{ exceptionStackTrace: ["RangeError: no"], durationMs: 2 },
    },
  ];
  const tester = createTester({
    ...openParts(bench, organization),
    ...{ settings: defaultSettings, now: () => Date.now() },
    runner: {
      run: async (program, run) => {
        runs.push([program, run]);
        return results[(runs.length - 1) % 2] as ToolRunResult;
      },
    },
  });
  const [route] = testRoutes({ tester }) as Route[];
  const usual = {
    ...{ commit_branch: `releases/${organization}`, project_path: "tools/look_up" },
    ...{ required_envvars: {}, required_secret_envvars: {}, inputs: [input] },
  };
  return {
    runs,
    test: (body = {}) =>
      (route as Route).handle({
        ...{ principal, params: { organization }, query: {}, headers: {} },
        signal: new AbortController().signal,
        body: { ...usual, ...body },
      }),
  };
}

describe("trying a tool out", () => {
  it("runs every input, and answers as an invocation does", async () => {
    const bench = openBench({
      ...{ requiredEnvvars: ["REGION"], requiredSecretEnvvars: ["API_TOKEN"] },
      ...{ allowedHosts: ["example.com"], limits: { timeoutMs: 500 } },
    });
    const reply = await bench.test({
      inputs: [input, { ...input, invocation_mode: "conversation-simulation" }],
      required_envvars: { REGION: "eu", OPTIONAL: "x" },
      required_secret_envvars: { API_TOKEN: "secret" },
    });
    expect(reply).toEqual({
      status: 200,
      body: {
        invocation_results: [
          { succeeded: true, output: "sunny", duration_ms: 2 },
          {
            ...{ succeeded: false, exception_type: "RangeError", exception_message: "no" },
            ...{ exception_stack_trace: ["RangeError: no"], duration_ms: 2 },
          },
        ],
      },
    });
    expect(bench.runs).toMatchObject([
      [
        { organization, allowedHosts: ["example.com"], timeoutMs: 500, memoryMb: 128 },
        {
          ...{ input: { city: "Rome" }, mode: "regular", conversation: null },
          ...{ userVariables: { team: "red" }, sensitiveUserVariables: { pin: "1234" } },
        },
      ],
      [{}, { mode: "conversation-simulation" }],
    ]);
    expect(bench.runs[0]?.[1].config).toEqual({ REGION: "eu", OPTIONAL: "x", API_TOKEN: "secret" });
  });

  it.each<[what: string, status: number, sentence: RegExp, body: object]>([
    [
      "an unknown branch",
      404,
      /no branch nowhere.*git push origin HEAD:nowhere/u,
      { commit_branch: "nowhere" },
    ],
    ["an unknown folder", 404, /no folder elsewhere/u, { project_path: "elsewhere" }],
    ["a missing variable", 400, /requires REGION\. Add its value to required_envvars/u, {}],
    [
      "a variable that is not secret enough",
      400,
      /API_TOKEN.*required_secret_envvars/u,
      { required_envvars: { REGION: "eu", API_TOKEN: "x" } },
    ],
    [
      "a variable that is both",
      400,
      /REGION is in both required_envvars and required_secret_envvars/u,
      { required_envvars: { REGION: "eu" }, required_secret_envvars: { REGION: "eu" } },
    ],
    [
      "an input that does not fit",
      400,
      /^inputs\[1\]\.input_parameters: city is missing\.$/u,
      {
        ...{ required_envvars: { REGION: "eu" }, required_secret_envvars: { API_TOKEN: "x" } },
        inputs: [input, { ...input, input_parameters: {} }],
      },
    ],
  ])("refuses %s and runs nothing", async (...row) => {
    const [, status, sentence, body] = row;
    const bench = openBench({ requiredEnvvars: ["REGION"], requiredSecretEnvvars: ["API_TOKEN"] });
    await expect(bench.test(body)).rejects.toMatchObject({
      status,
      message: expect.stringMatching(sentence),
    });
    expect(bench.runs).toEqual([]);
  });
});
