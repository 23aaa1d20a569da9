import { describe, expect, it, onTestFinished } from "vitest";
import { openApiServer } from "../api/test-support/open-api-server.ts";
import { organization } from "../api/test-support/sample-authenticator.ts";
import { packArtifact } from "../runner/artifact.ts";
import { openTestRunner } from "../runner/test-support/open-runner.ts";
import { openStore } from "../store/open-store.ts";
import type { ResolvedVersion } from "../versions/resolved-version.ts";
import { invokeRoutes } from "./invoke-routes.ts";
import {
  type BenchOptions,
  fail,
  type InvokeBench,
  makeInput,
  makeVersion,
  openInvokeBench,
  succeed,
} from "./test-support/open-invoke.ts";

interface Served extends InvokeBench {
  post(
    body: unknown,
    request?: { version?: string; headers?: Record<string, string> },
  ): Promise<Response>;
}

async function serve(options: BenchOptions = {}): Promise<Served> {
  const store = await openStore({ kind: "sqlite", path: ":memory:" });
  const version = makeVersion(organization, options.manifest);
  const versions = { resolve: () => version, ...options.invoker?.versions };
  const bench = openInvokeBench(store, { ...options, invoker: { versions, ...options.invoker } });
  const server = await openApiServer({ routes: invokeRoutes(bench) });
  onTestFinished(async () => {
    await server.close();
    await bench.close();
    await store.close();
  });
  return Object.assign(bench, {
    post: (body: unknown, request: { version?: string; headers?: Record<string, string> } = {}) =>
      fetch(
        `${server.url}/v1/${organization}/tool/${version.toolId}/version/${encodeURIComponent(request.version ?? "latest")}/invoke`,
        {
          method: "POST",
          headers: {
            authorization: `Bearer ${server.token}`,
            "content-type": "application/json",
            ...request.headers,
          },
          body: JSON.stringify(body),
        },
      ),
  });
}

const small = { input_parameters: { word: "hi" }, invocation_mode: "regular" };

describe("POST …/invoke", () => {
  it("answers with the results and the version that ran", async () => {
    const asked: string[] = [];
    const version = makeVersion(organization);
    const bench = await serve({
      invoker: {
        versions: {
          resolve: async (_organization, _tool, text): Promise<ResolvedVersion> => {
            asked.push(text);
            return version;
          },
        },
      },
    });
    bench.act = ({ input }) => (input.word === "hi" ? succeed("ho") : fail("no"));
    const inputs = [small, { ...small, input_parameters: { word: "x" } }];
    const response = await bench.post({ inputs }, { version: ">=1.2,<2" });
    expect([response.status, response.headers.get("x-tool-version")]).toEqual([200, "1.2.3"]);
    expect(asked).toEqual([">=1.2,<2"]);
    expect(await response.json()).toEqual({
      invocation_results: [
        { succeeded: true, output: "ho", duration_ms: 2 },
        {
          succeeded: false,
          exception_message: "no",
          exception_type: "RangeError",
          exception_stack_trace: [],
          duration_ms: 2,
        },
      ],
    });
    expect(bench.runs[0]).toMatchObject({ userVariables: {}, sensitiveUserVariables: {} });
  });

  it.each([
    ["no inputs", { inputs: [] }],
    ["eleven inputs", { inputs: Array.from({ length: 11 }, () => small) }],
    ["no mode", { inputs: [{ input_parameters: {} }] }],
    ["a mode that there is not", { inputs: [{ ...small, invocation_mode: "real" }] }],
    ["parameters that are none", { inputs: [{ ...small, input_parameters: [] }] }],
    [
      "a variable that is no text",
      { inputs: [{ ...small, sensitive_user_variables: { pin: 1 } }] },
    ],
    [
      "a variable with a bad name",
      { inputs: [{ ...small, nonsensitive_user_variables: { "A b": "" } }] },
    ],
    ["a source that there is not", { inputs: [small], source: { type: "direct", user_id: "x" } }],
    ["a conversation that is none", { inputs: [small], conversation: "x" }],
  ])("refuses %s with 422", async (_, body) => {
    const bench = await serve();
    expect((await bench.post(body)).status).toBe(422);
    expect(bench.runs).toEqual([]);
  });

  it("answers 400 for an input that does not match the tool's schema", async () => {
    const bench = await serve();
    const response = await bench.post({ inputs: [{ ...small, input_parameters: {} }] });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      detail:
        "inputs[0].input_parameters does not match the tool's input schema: word is missing. Nothing was run.",
    });
  });

  it("carries out a request once for each Idempotency-Key", async () => {
    const bench = await serve();
    let calls = 0;
    bench.act = () => succeed(`call ${++calls}`);
    const headers = { "idempotency-key": "one" };
    const first = await bench.post({ inputs: [small] }, { headers });
    const again = await bench.post({ inputs: [small] }, { headers });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-tool-version")).toBe("1.2.3");
    expect(await again.text()).toBe(await first.text());
    const other = await bench.post({ inputs: [small, small] }, { headers });
    expect([other.status, calls]).toEqual([422, 1]);
    const mendable = { "idempotency-key": "two" };
    const wrong = { inputs: [{ ...small, input_parameters: {} }] };
    expect((await bench.post(wrong, { headers: mendable })).status).toBe(400);
    expect((await bench.post({ inputs: [small] }, { headers: mendable })).status).toBe(200);
    expect(calls).toBe(2);
  });

  it("finishes a request with a key even if its caller disconnects", async () => {
    const bench = await serve();
    const gate = Promise.withResolvers<void>();
    const signals: (AbortSignal | undefined)[] = [];
    bench.act = async (run) => {
      signals.push(run.signal);
      await gate.promise;
      return succeed("once");
    };
    const keyed = bench.post({ inputs: [small] }, { headers: { "idempotency-key": "k" } });
    await expect.poll(() => signals.length).toBe(1);
    const plain = bench.post({ inputs: [small] });
    await expect.poll(() => signals.length).toBe(2);
    expect(signals.map((signal) => signal === undefined)).toEqual([true, false]);
    gate.resolve();
    expect(await Promise.all([keyed, plain].map(async (one) => (await one).status))).toEqual([
      200, 200,
    ]);
  });

  it("streams what tools tell, then the result", async () => {
    const bench = await serve();
    bench.act = async (run) => {
      run.onStatus?.("begun");
      await new Promise((resolve) => setImmediate(resolve));
      run.onStatus?.({ done: 0.5 });
      return succeed("ok");
    };
    const accept = { accept: "text/event-stream" };
    const response = await bench.post({ inputs: [small, small] }, { headers: accept });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("x-tool-version")).toBe("1.2.3");
    const events = parseEvents(await response.text());
    expect(events.slice(0, -1).toSorted((a, b) => (a.text < b.text ? -1 : 1))).toMatchObject([
      { event: "status", data: { input_index: 0, event: "begun" } },
      { event: "status", data: { input_index: 0, event: { done: 0.5 } } },
      { event: "status", data: { input_index: 1, event: "begun" } },
      { event: "status", data: { input_index: 1, event: { done: 0.5 } } },
    ]);
    const result = { succeeded: true, output: "ok", duration_ms: 2 };
    expect(events.at(-1)).toMatchObject({
      event: "result",
      data: { invocation_results: [result, result] },
    });
    const refused = await bench.post(
      { inputs: [{ ...small, input_parameters: {} }] },
      { headers: accept },
    );
    expect(refused.status).toBe(400);
  });

  it("runs a real tool in a real sandbox", async () => {
    const runner = openTestRunner({ blankWorkers: 1 });
    onTestFinished(() => runner.close(0));
    const code = `export function runTool({ toolInput, config }) {
      if (toolInput.word === "exit") process.exit(1);
      return toolInput.word + config.MARK;
    }`;
    const { bytes } = packArtifact({ runtime: "node", code });
    const bench = await serve({
      manifest: { requiredEnvvars: ["MARK"] },
      invoker: { runner, artifacts: { get: async () => bytes } },
    });
    bench.variables = { MARK: "!" };
    const inputs = ["hi", "exit", "ho"].map((word) => makeInput({ input_parameters: { word } }));
    const response = await bench.post({ inputs });
    expect(await response.json()).toMatchObject({
      invocation_results: [
        { output: "hi!" },
        { exception_type: "WorkerDied", exception_message: expect.stringContaining("exit code 1") },
        { output: "ho!" },
      ],
    });
    expect(await bench.rows()).toHaveLength(3);
  });
});

function parseEvents(text: string): { event: string; data: unknown; text: string }[] {
  return [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/gu)].map(([, event = "", data = ""]) => ({
    event,
    data: JSON.parse(data) as unknown,
    text: data,
  }));
}
