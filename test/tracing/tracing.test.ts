import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../scripts/setup/system-packages.mjs";
import { call, say } from "../agents/support/model-server.ts";
import { openPlace } from "../agents/support/open-place.ts";
import { speakAcp } from "../agents/support/speak-acp.ts";
import { haftCommand } from "../agents/support/start-haft.ts";
import { reviewer, script } from "../agents/support/subagent-script.ts";
import { type ReceivedSpan, startCollector } from "./support/start-collector.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const content = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" };
const secret = "sk-ant-api03-Zq8vN2xWcR5tYbL7mKjH3fGdS9pQaE4uT6iO1rXz";

describe("haft call", () => {
  it("sends one span below the caller's, with nothing of arguments, results and errors", async () => {
    const collector = await startCollector();
    const { haft } = await openPlace([], { "private.txt": `content ${secret}\n` });
    const environment = { ...collector.environment, TRACEPARENT: traceparent };
    const read = await haft(["call", "read", "path=private.txt"], { environment });
    expect(read).toMatchObject({ code: 0, stderr: "" });
    const missing = await haft(["call", "grep", "pattern=private("], { environment });
    expect(missing.code).not.toBe(0);
    await haft(["call", "private_tool"], { environment });

    expect(collector.span("execute_tool read")).toMatchObject({
      traceId,
      parentSpanId: "00f067aa0ba902b7",
      status: { code: 0 },
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "read",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": expect.any(String),
        "gen_ai.conversation.id": expect.stringMatching(/\/default$/u),
      },
    });
    expect(collector.span("execute_tool grep")).toMatchObject({
      status: { code: 2 },
      attributes: { "gen_ai.tool.name": "grep", "error.type": "invalid-arguments" },
    });
    expect(collector.span("execute_tool").attributes).toMatchObject({
      "error.type": "unknown-tool",
    });
    expect(collector.payload()).toContain('"stringValue":"haft"');
    expect(collector.payload()).not.toMatch(/private|sk-ant|content /u);
    expect(unknownAttributes(collector.spans())).toEqual([]);
  });

  it("sends arguments and results on request, without secrets", async () => {
    const collector = await startCollector();
    const { haft } = await openPlace([], { "a.txt": `key = ${secret}\n` });
    const environment = { ...collector.environment, ...content };
    await haft(["call", "read", "path=a.txt"], { environment });
    const { attributes } = collector.span("execute_tool read");
    expect(JSON.parse(String(attributes["gen_ai.tool.call.arguments"]))).toMatchObject({
      path: expect.stringContaining("a.txt"),
    });
    expect(attributes["gen_ai.tool.call.result"]).toContain("key = ");
    expect(collector.payload()).not.toContain(secret);
    expect(unknownAttributes(collector.spans())).toEqual([]);
  });

  it("works without a collector, and warns once", async () => {
    const unused = createServer().listen(0, "127.0.0.1");
    await once(unused, "listening");
    const { port } = unused.address() as AddressInfo;
    unused.close();
    const { haft } = await openPlace([], { "a.txt": "one\n" });
    // More than one batch, so that sending fails more than once.
    const reads = Array.from({ length: 520 }, () => ({
      name: "read",
      arguments: { path: "a.txt" },
    }));
    const { code, stdout, stderr } = await haft(["batch", "-", "--json"], {
      input: JSON.stringify(reads),
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://name:word@127.0.0.1:${port}` },
    });
    expect({ code, results: JSON.parse(stdout).length }).toEqual({ code: 0, results: 520 });
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^haft: Traces could not be sent to http:\/\/127[^@]*ECONNREFUSED/u),
      "",
    ]);
  });
});

describe("haft agent", () => {
  it("sends a span for the turn, each request and each call, and those of subagents below their call", async () => {
    const collector = await startCollector();
    const { agent } = await openPlace(
      script({
        "You review": [call("read", { path: "a.txt" }), say("It says private.")],
        "": [
          {
            ...call("task", { subagent_type: "reviewer", prompt: "Private prompt." }),
            usage: { input: 100, output: 7, cached: 60 },
          },
          say("Done in private."),
        ],
      }),
      { "a.txt": "private\n", ".haft/agents/reviewer.md": reviewer },
    );
    const { environment } = collector;
    expect(await agent(["a private prompt"], { environment })).toMatchObject({
      code: 0,
      stderr: "",
    });
    const build = collector.span("invoke_agent build");
    const task = collector.span("execute_tool task");
    const child = collector.span("invoke_agent reviewer");
    const read = collector.span("execute_tool read");
    expect(build.parentSpanId).toBeUndefined();
    expect(build.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "build",
      "gen_ai.provider.name": "openai-compatible",
      "gen_ai.request.model": "scripted",
    });
    expect(task.parentSpanId).toBe(build.spanId);
    expect(child.parentSpanId).toBe(task.spanId);
    expect(read.parentSpanId).toBe(child.spanId);
    expect(read.attributes["gen_ai.conversation.id"]).toBe(
      child.attributes["gen_ai.conversation.id"],
    );
    const chats = collector.spans().filter(({ name }) => name === "chat scripted");
    expect(chats.map(({ parentSpanId }) => parentSpanId).toSorted()).toEqual(
      [build, build, child, child].map(({ spanId }) => spanId).toSorted(),
    );
    const first = chats.find(({ attributes }) => attributes["gen_ai.usage.input_tokens"] === 100);
    expect(first).toMatchObject({
      kind: 3,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai-compatible",
        "gen_ai.request.model": "scripted",
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.response.finish_reasons": ["tool-calls"],
      },
    });
    expect(new Set(collector.spans().map((span) => span.traceId)).size).toBe(1);
    expect(collector.payload()).not.toMatch(/private/iu);
    expect(unknownAttributes(collector.spans())).toEqual([]);
  });

  it("marks requests that failed, and sends messages on request", async () => {
    const collector = await startCollector();
    const { agent } = await openPlace([say("Hello."), { status: 401, error: "no" }]);
    const environment = { ...collector.environment, ...content };
    await agent([`greet with ${secret}`], { environment });
    const { attributes } = collector.span("invoke_agent build");
    expect(attributes["gen_ai.input.messages"]).toContain("greet with ");
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "Hello." }] },
    ]);
    expect((await agent(["again"], { environment })).code).not.toBe(0);
    const failed = collector.spans().filter(({ status }) => status.code === 2);
    expect(failed.map(({ name, attributes: { "error.type": type } }) => [name, type])).toEqual([
      ["chat scripted", "401"],
      ["invoke_agent build", "error"],
    ]);
    expect(collector.payload()).not.toContain(secret);
    expect(unknownAttributes(collector.spans())).toEqual([]);
  });

  it.skipIf(isMissing("bwrap"))("sends the calls of a program below the program's", async () => {
    const collector = await startCollector();
    const code = `await Promise.all([tools.read({ path: "a.txt" }), tools.glob({ pattern: "*" })]);`;
    const { agent } = await openPlace([call("run_code", { code }), say("Done.")], {
      "a.txt": "one\n",
    });
    const { environment } = collector;
    expect(await agent(["--code", "run it"], { environment })).toMatchObject({ code: 0 });
    const { spanId } = collector.span("execute_tool run_code");
    expect(collector.span("execute_tool read").parentSpanId).toBe(spanId);
    expect(collector.span("execute_tool glob").parentSpanId).toBe(spanId);
  });
});

describe("haft acp", () => {
  it("sends a trace for each prompt of each session, until its client disconnects", async () => {
    const collector = await startCollector();
    const read = call("read", { path: "a.txt" });
    const place = await openPlace([read, say("One."), read, say("Two.")], { "a.txt": "one\n" });
    const environment = { ...place.environment, ...collector.environment };
    const { ask, end } = speakAcp({ ...place, environment });
    await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    for (const text of ["first", "second"]) {
      const here = { cwd: place.workspace, mcpServers: [] };
      const { sessionId } = await ask("session/new", here);
      await ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    }
    expect(await end()).toBe(0);
    const turns = collector.spans().filter(({ name }) => name === "invoke_agent build");
    const reads = collector.spans().filter(({ name }) => name === "execute_tool read");
    expect(reads.map(({ parentSpanId }) => parentSpanId)).toEqual(
      turns.map(({ spanId }) => spanId),
    );
    expect(new Set(turns.map((turn) => turn.traceId)).size).toBe(2);
  });
});

describe("haft mcp", () => {
  it("continues a client's trace to the server behind it", async () => {
    const collector = await startCollector();
    const behind = await startRecordingServer();
    const place = await openPlace([]);
    const added = await place.haft(["mcp", "add", "behind", behind.url, "--yes"]);
    expect(added).toMatchObject({ code: 0 });
    const [command, ...before] = haftCommand;
    const transport = new StdioClientTransport({
      command,
      args: [...before, "mcp", "--yes"],
      cwd: place.workspace,
      env: { ...place.environment, ...collector.environment },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    await client.listTools();
    const _meta = { traceparent, tracestate: "vendor=value" };
    const echo = { name: "mcp__behind__echo", arguments: { text: "private" }, _meta };
    expect(await client.callTool(echo)).not.toMatchObject({ isError: true });
    const fail = { ...echo, arguments: { text: "fail" } };
    expect(await client.callTool(fail)).toMatchObject({ isError: true });
    await client.close();
    await expect.poll(() => collector.spans().length).toBe(7);

    expect(collector.span("tools/list")).toMatchObject({
      kind: 2,
      attributes: { "mcp.method.name": "tools/list", "network.transport": "pipe" },
    });
    const [received, failed] = behind.received;
    const bySpan = (id: string | undefined): ReceivedSpan =>
      collector.spans().find(({ spanId }) => spanId === id) as ReceivedSpan;
    const sent = bySpan(received?.meta.traceparent?.split("-")[2]);
    const made = bySpan(sent.parentSpanId);
    const served = bySpan(made.parentSpanId);
    expect([sent, made, served]).toMatchObject([
      {
        traceId,
        name: "tools/call echo",
        kind: 3,
        attributes: {
          "mcp.method.name": "tools/call",
          "gen_ai.tool.name": "echo",
          "haft.mcp.server": "behind",
          "network.transport": "tcp",
        },
      },
      { traceId, name: "execute_tool mcp__behind__echo" },
      {
        traceId,
        name: "tools/call mcp__behind__echo",
        kind: 2,
        parentSpanId: "00f067aa0ba902b7",
        attributes: {
          "mcp.method.name": "tools/call",
          "gen_ai.operation.name": "execute_tool",
          "jsonrpc.request.id": expect.any(String),
          "mcp.protocol.version": expect.any(String),
        },
      },
    ]);
    expect(received).toMatchObject({
      meta: { traceparent: expect.stringContaining(traceId), tracestate: "vendor=value" },
      headers: { traceparent: received?.meta.traceparent, tracestate: "vendor=value" },
    });
    const refused = bySpan(failed?.meta.traceparent?.split("-")[2]);
    expect(refused).toMatchObject({
      status: { code: 2 },
      attributes: { "error.type": "tool_error" },
    });
    expect(collector.payload()).not.toContain("private");
    expect(unknownAttributes(collector.spans())).toEqual([]);
  });

  it("reads the headers of a client over HTTP, and starts a trace where they are not valid", async () => {
    const collector = await startCollector();
    const place = await openPlace([]);
    const environment = { ...collector.environment, HAFT_TOKEN: "a-token-for-tests-only" };
    const { child, ended } = place.start(["mcp", "--http", "--port", "0"], { environment });
    const url = await findUrl(child.stdout);
    for (const header of [traceparent, `00-${"0".repeat(32)}-${"0".repeat(16)}-01`]) {
      const client = new Client({ name: "test", version: "1" });
      const headers = { authorization: "Bearer a-token-for-tests-only", traceparent: header };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      );
      await client.callTool({ name: "read", arguments: { path: "none.txt" } });
      await client.close();
    }
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    const served = collector.spans().filter(({ name }) => name === "tools/call read");
    expect(served.map(({ attributes }) => attributes["network.transport"])).toEqual(["tcp", "tcp"]);
    expect(served[0]).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7" });
    expect(served[1]?.parentSpanId).toBeUndefined();
    expect(served[1]?.traceId).not.toBe("0".repeat(32));
  });
});

/** Names that are neither in the conventions nor documented as ours. */
function unknownAttributes(spans: readonly ReceivedSpan[]): string[] {
  const known = new Set<unknown>([...Object.values(conventions), "haft.mcp.server"]);
  return spans.flatMap(({ attributes }) =>
    Object.keys(attributes).filter((key) => !known.has(key)),
  );
}

interface Received {
  readonly meta: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Starts an MCP server over HTTP that keeps what requests carry beside their arguments. */
async function startRecordingServer(): Promise<{ url: string; received: readonly Received[] }> {
  const received: Received[] = [];
  const handle = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: "behind", version: "1" });
      const inputSchema = fromJsonSchema<{ text: string }>({
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
      });
      server.registerTool(
        "echo",
        { description: "Echoes.", inputSchema },
        async (args, context) => {
          const { mcpReq, http } = context;
          received.push({
            meta: { ...mcpReq._meta } as Received["meta"],
            headers: Object.fromEntries(http?.req?.headers ?? []),
          });
          const text = [{ type: "text" as const, text: args.text }];
          return { content: text, ...(args.text === "fail" && { isError: true }) };
        },
      );
      return server;
    }),
  );
  const server = createServer((request, response) => void handle(request as never, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, received };
}

async function findUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [url] = /http:\S+\/mcp/u.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("The server printed no address.");
}
