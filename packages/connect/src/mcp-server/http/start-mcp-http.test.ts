import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientTransport, openClient, token } from "../test-support/connect-client.ts";
import { openServing } from "../test-support/open-serving.ts";
import { type McpHttp, startMcpHttp } from "./start-mcp-http.ts";

const start = async (): Promise<McpHttp> => {
  const http = await startMcpHttp(openServing(), { port: 0, token });
  onTestFinished(() => http.close());
  return http;
};

interface Sending {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

// Sends what no browser would let a page send: any `Host` and `Origin`.
async function send(url: string, { method = "POST", body, headers }: Sending) {
  const outgoing = request(url, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.on("error", () => {});
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

describe("MCP over HTTP", () => {
  it("refuses requests without the token", async () => {
    const { url } = await start();
    for (const authorization of ["", "Bearer wrong", `Basic ${token}`, token]) {
      const reply = await send(url, { body: initialize, headers: { authorization } });
      expect([authorization, reply.status]).toEqual([authorization, 401]);
      expect(reply.headers["www-authenticate"]).toMatch(/^Bearer realm="haft"/u);
    }
  });

  it.each([
    { host: "evil.example" },
    { host: "127.0.0.1.evil.example" },
    { host: "127.0.0.1:1" },
    { origin: "null" },
    { origin: "http://evil.example" },
    { origin: "https://127.0.0.1" },
    { origin: "" },
  ])("refuses %j, also with the token", async (headers) => {
    const { url } = await start();
    const reply = await send(url, { body: initialize, headers });
    expect(reply.status).toBe(403);
  });

  it("takes its own origin, and sends no CORS headers", async () => {
    const { url } = await start();
    const { origin } = new URL(url);
    const reply = await send(url, { body: initialize, headers: { origin } });
    expect(reply.status).toBe(200);
    const preflight = await send(url, { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(405);
    const names = [reply, preflight].flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each([
    ["what is not JSON", { body: "{" }, 400],
    ["no body", { body: "" }, 400],
    ["a call before it knows who calls", { body: { ...initialize, method: "tools/list" } }, 400],
    ["a made-up session", { body: initialize, headers: { "mcp-session-id": "made-up" } }, 404],
    ["another type", { body: "a", headers: { "content-type": "text/plain" } }, 415],
    ["too much", { body: `"${"x".repeat(11 * 1024 * 1024)}"` }, 413],
    ["another method", { method: "PUT", body: "{}" }, 405],
    ["a stream without a session", { method: "GET" }, 400],
  ])("answers %s with an error", async (_, sending, status) => {
    const { url } = await start();
    const reply = await send(url, sending);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain("error");
  });

  it("has nothing at other paths", async () => {
    const { url } = await start();
    for (const path of ["/", "/mcp/", "/mcp2", "/%6dcp"]) {
      expect((await send(new URL(path, url).href, { body: initialize })).status).toBe(404);
    }
  });

  it("chooses the sessions' names, and ends them when told to", async () => {
    const { url } = await start();
    const sessionOf = async (headers = {}) =>
      (await send(url, { body: initialize, headers })).headers["mcp-session-id"] as string;
    const [one, other] = [await sessionOf(), await sessionOf()];
    expect(one).toMatch(/^[\da-f-]{36}$/u);
    expect(one).not.toBe(other);
    const headers = { "mcp-session-id": one };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await send(url, { body: list, headers })).text).toContain('"name":"read"');
    expect((await send(url, { method: "DELETE", headers })).status).toBe(200);
    expect((await send(url, { body: list, headers })).status).toBe(404);
    const rest = await send(url, { body: list, headers: { "mcp-session-id": other } });
    expect(rest.status).toBe(200);
  });

  it("says of a port that is taken how to choose another", async () => {
    const { port } = await start();
    const second = startMcpHttp(openServing(), { port, token });
    await expect(second).rejects.toThrow(/already in use.*--port/u);
  });

  it("refuses a token that can't be sent", async () => {
    const started = startMcpHttp(openServing(), { port: 0, token: "two words" });
    await expect(started).rejects.toThrow(/ASCII/u);
  });

  it("closes though a client still listens", async () => {
    const http = await startMcpHttp(openServing(), { port: 0, token });
    await openClient(clientTransport(http.url), "legacy");
    const changed = { tools: { onChanged: () => {} } };
    await openClient(clientTransport(http.url), "modern", { listChanged: changed });
    await http.close();
    await expect(send(http.url, { body: initialize })).rejects.toThrow();
  });
});
