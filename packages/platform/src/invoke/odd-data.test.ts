import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openApiServer } from "../api/test-support/open-api-server.ts";
import { organization } from "../api/test-support/sample-authenticator.ts";
import { type Artifact, packArtifact } from "../runner/artifact.ts";
import { openTestRunner, type TestRunner } from "../runner/test-support/open-runner.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { invokeRoutes } from "./invoke-routes.ts";
import { makeVersion, openInvokeBench } from "./test-support/open-invoke.ts";

const node: Artifact = {
  runtime: "node",
  code: `export function runTool({ toolInput, conversation, sendStatusEvent }) {
    const nest = (depth) => { let value = 1; for (let at = 0; at < depth; at += 1) value = [value]; return value; };
    if (toolInput.status) sendStatusEvent(nest(toolInput.status));
    if (toolInput.result) return nest(toolInput.result);
    return JSON.stringify([toolInput, conversation]).length + toolInput.word;
  }`,
};

const python: Artifact = {
  runtime: "python",
  module: "src.tool",
  files: {
    "src/tool.py": Buffer.from(
      `import json
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    def nest(depth):
        value = 1
        for _ in range(depth):
            value = [value]
        return value
    if "status" in tool_input:
        send_status_event(nest(tool_input["status"]))
    if "result" in tool_input:
        return nest(tool_input["result"])
    return str(len(json.dumps([tool_input, conversation]))) + tool_input["word"]
`,
    ).toString("base64"),
  },
};

describeStores("an invocation with odd data", (stores) => {
  let runner: TestRunner;
  beforeAll(() => {
    runner = openTestRunner({ blankWorkers: 1 });
  });
  afterAll(() => runner.close(0));

  const serve = async (artifact: Artifact) => {
    const { bytes, digest } = packArtifact(artifact);
    const manifest = { runtime: artifact.runtime, inputSchema: { type: "object" } } as const;
    const version = { ...makeVersion(organization, manifest), artifactDigest: digest };
    const bench = openInvokeBench(await stores.open(), {
      invoker: {
        runner,
        artifacts: { get: async () => bytes },
        versions: { resolve: () => version },
      },
    });
    const server = await openApiServer({ routes: invokeRoutes(bench) });
    onTestFinished(async () => {
      await server.close();
      await bench.close();
    });
    const post = async (body: string, headers: Record<string, string> = {}) => {
      const url = `${server.url}/v1/${organization}/tool/${version.toolId}/version/latest/invoke`;
      const authorization = `Bearer ${server.token}`;
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        body,
      });
      return { status: response.status, body: await response.text() };
    };
    const send = (
      input: object,
      more: object = {},
      headers?: Record<string, string>,
    ): ReturnType<typeof post> => {
      const inputs = [{ input_parameters: input, invocation_mode: "regular" }];
      return post(JSON.stringify({ inputs, ...more }), headers);
    };
    return { post, send, rows: () => bench.rows() };
  };

  it.each([node, python])("that is nested deep fails alone ($runtime)", async (artifact) => {
    const { post, send } = await serve(artifact);
    const nest = (depth: number): string =>
      `{"inputs":[{"input_parameters":{"word":"x"},"invocation_mode":"regular"}],"conversation":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
    expect((await post(nest(199))).status).toBe(200);
    for (const depth of [200, 1_000, 6_000, 10_000]) {
      const { status, body } = await post(nest(depth));
      expect([depth, status]).toEqual([depth, 400]);
      expect(body).toContain("nested more than 200 deep");
    }
    expect(await send({ word: "next" })).toMatchObject({ status: 200 });
  });

  it.each([node, python])(
    "that comes back nested deep fails alone ($runtime)",
    async (artifact) => {
      const { send } = await serve(artifact);
      const accept = { accept: "text/event-stream" };
      for (const depth of [3, 199, 201, 2_000, 7_000, 100_000]) {
        for (const given of [{ status: depth }, { result: depth }]) {
          const { status, body } = await send({ word: "x", ...given }, {}, accept);
          expect([given, status]).toEqual([given, 200]);
          expect(body).toContain("invocation_results");
          // What is too deep is left out, as what is too long.
          if ("status" in given) expect(body.includes("event: status")).toBe(depth < 200);
        }
      }
      expect((await send({ word: "next" })).body).toContain("next");
    },
  );

  it("is stored even if the database can't hold it directly", async () => {
    const { send, rows } = await serve(node);
    for (const odd of ["\0", "a\0b", "\ud800", "\udc00x", "\u{10ffff}", "__proto__", "\u202e"]) {
      const source = {
        type: "regular-conversation",
        user_id: odd,
        conversation_id: odd,
        interaction_id: odd,
        invocation_metadata: { type: "engage-user", [odd]: odd },
      };
      const conversation = { text: odd, constructor_: odd };
      const { status, body } = await send({ word: odd, more: [odd] }, { source, conversation });
      expect([odd, status < 500, body.slice(0, 200)]).toEqual([odd, true, body.slice(0, 200)]);
      const simulated = {
        type: "simulation-conversation",
        simulation_unit_test_set_run_id: odd,
        unit_test_id: odd,
        run_index: 2 ** 53,
        invocation_metadata: { type: "engage-user" },
      };
      expect((await send({ word: odd }, { source: simulated })).status).toBeLessThan(500);
      const key = { "idempotency-key": "k".repeat(3) + encodeURIComponent(odd.toWellFormed()) };
      expect((await send({ word: odd }, { conversation }, key)).status).toBe(200);
    }
    expect((await rows()).length).toBeGreaterThan(7);
  });
});
