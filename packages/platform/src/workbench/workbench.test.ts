import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { ShownTool } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecentCall } from "./recent-calls.ts";
import type { CallReply } from "./routes/calls.ts";
import { openWorkbench, type TestWorkbench, token } from "./test-support/open-workbench.ts";
import { send, sendRaw } from "./test-support/send.ts";
import { createWaitingTool } from "./test-support/waiting-tool.ts";

describe("startWorkbench", () => {
  it("says where it listens", async () => {
    const workbench = await openWorkbench();
    expect(workbench.url).toBe(`http://127.0.0.1:${workbench.port}`);
    await workbench.close();
  });

  it("listens on every address of localhost", async () => {
    const workbench = await openWorkbench({ hostname: "localhost" });
    expect(workbench.url).toBe(`http://localhost:${workbench.port}`);
    expect((await send(`${workbench.url}/healthz`)).status).toBe(200);
    expect((await send(`http://127.0.0.1:${workbench.port}/healthz`)).status).toBe(200);
    await workbench.close();
  });

  it("names the port that is in use and the way out", async () => {
    const first = await openWorkbench();
    const second = openWorkbench({ port: first.port });
    await expect(second).rejects.toThrow(
      `Port ${first.port} on 127.0.0.1 is already in use. Stop the program that uses it, or choose another port with --port.`,
    );
    await first.close();
  });

  it("refuses a token that no header can carry", async () => {
    await expect(openWorkbench({ token: "" })).rejects.toThrow("The token can't be sent");
    await expect(openWorkbench({ token: "two words" })).rejects.toThrow("The token can't be sent");
  });

  it("answers a call under way before it closes", async () => {
    const { began, tool } = createWaitingTool();
    const workbench = await openWorkbench({ tools: [tool] });
    const reply = send(`${workbench.url}/api/calls`, { body: { name: "wait", approve: true } });
    await began;
    await workbench.close();
    expect((await reply).json<CallReply>().result).toMatchObject({
      type: "error",
      error_text: "The workbench was stopped.",
      metadata: { error_code: "cancelled" },
    });
  });

  it("closes although a client never ends its request", async () => {
    const workbench = await openWorkbench();
    const socket = connect(workbench.port, "127.0.0.1");
    await once(socket, "connect");
    const hungUp = new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
    socket.write(`POST /api/calls HTTP/1.1\r\nHost: 127.0.0.1:${workbench.port}\r\n`);
    await workbench.close();
    await hungUp;
  });
});

describe("the workbench", () => {
  let workbench: TestWorkbench;
  const { began, stopped, tool } = createWaitingTool();

  beforeEach(async () => {
    workbench = await openWorkbench({ tools: [tool] });
  });
  afterEach(() => workbench.close());

  const get = (path: string, sending = {}) => send(`${workbench.url}${path}`, sending);
  const call = async (body: object) => {
    const reply = await send(`${workbench.url}/api/calls`, { body });
    expect(reply.status).toBe(200);
    return reply.json<CallReply>();
  };
  const listCalls = async () => (await get("/api/calls")).json<RecentCall[]>();
  const inWorkspace = (file: string) => join(workbench.workspace, file);

  it.each(["/healthz", "/readyz"])("answers %s without a token", async (path) => {
    const reply = await get(path, { anonymous: true });
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({ status: "ok", version: "1.2.3" });
  });

  it.each(["/api/tools", "/api/calls", "/api/status"])("wants a token for %s", async (path) => {
    const none = await get(path, { anonymous: true });
    expect(none.status).toBe(401);
    expect(none.headers["www-authenticate"]).toBe('Bearer realm="haft"');
    expect(none.json()).toMatchObject({ error: { code: "unauthorized" } });
    for (const authorization of [
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
    ]) {
      expect((await get(path, { headers: { authorization } })).status).toBe(401);
    }
    expect((await get(path, { headers: { authorization: `bearer  ${token}` } })).status).toBe(200);
  });

  it("makes no call without a token, whatever the body", async () => {
    const path = inWorkspace("never.txt");
    const body = { name: "write", arguments: { path, content: "no" }, approve: true };
    expect((await get("/api/calls", { anonymous: true, body })).status).toBe(401);
    expect((await get("/api/calls", { anonymous: true, body: "{" })).status).toBe(401);
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });

  it("answers to the names of this machine only", async () => {
    const { port } = workbench;
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
    ]) {
      expect((await get("/healthz", { headers: { host } })).status, host).toBe(200);
    }
    for (const host of [
      `evil.example:${port}`,
      "evil.example",
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `localhost.evil.example:${port}`,
      `evil@localhost:${port}`,
    ]) {
      for (const path of ["/healthz", "/api/tools", "/nothing"]) {
        const reply = await get(path, { headers: { host } });
        expect(reply.status, host).toBe(403);
        expect(reply.json()).toMatchObject({ error: { code: "forbidden" } });
      }
    }
    expect(await sendRaw(port, "GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("answers to the hostname that it was given", async () => {
    const named = await openWorkbench({ hostname: "0.0.0.0" });
    expect(named.url).toBe(`http://127.0.0.1:${named.port}`);
    const ask = async (host: string) =>
      (await send(`${named.url}/healthz`, { headers: { host } })).status;
    expect(await ask(`0.0.0.0:${named.port}`)).toBe(200);
    expect(await ask(`evil.example:${named.port}`)).toBe(403);
    expect((await get("/healthz", { headers: { host: `0.0.0.0:${workbench.port}` } })).status).toBe(
      403,
    );
    await named.close();
  });

  it("refuses requests of other pages", async () => {
    const { port, url } = workbench;
    const body = { name: "read", arguments: { path: "." } };
    expect((await get("/api/calls", { headers: { origin: url }, body })).status).toBe(200);
    for (const origin of [
      "null",
      "http://evil.example",
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      `${url}.evil.example`,
    ]) {
      const reply = await get("/api/calls", { headers: { origin }, body });
      expect(reply.status, origin).toBe(403);
      expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("sends no CORS headers to other pages", async () => {
    const headers = { origin: "http://evil.example", "access-control-request-method": "POST" };
    const reply = await get("/api/calls", { method: "OPTIONS", headers });
    expect(reply.status).toBe(403);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  });

  it.each(["/healthz", "/api/tools", "/nothing", "/%zz"])(
    "sends security headers with %s",
    async (path) => {
      const { headers } = await get(path);
      expect(headers).toMatchObject({
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
    },
  );

  it.each(["/", "/nothing", "/api/nothing", "/mcp"])("says that there is no %s", async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(reply.json()).toEqual({
      error: { code: "not-found", message: `There is no GET ${path} here.` },
    });
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["no object", "[]"],
    ["no name", { arguments: {} }],
    ["an empty name", { name: "" }],
    ["a name that is no string", { name: 5 }],
    ["an approval that is no boolean", { name: "read", approve: "true" }],
    ["a field it does not know", { name: "read", approved: true }],
  ])("refuses a body with %s", async (_what, body) => {
    const reply = await get("/api/calls", { method: "POST", body });
    expect(reply.status).toBe(400);
    expect(reply.json()).toEqual({
      error: { code: "invalid-request", message: expect.any(String) },
    });
  });

  it("refuses a body that is not sent as JSON", async () => {
    const headers = { "content-type": "text/plain" };
    const reply = await get("/api/calls", { headers, body: JSON.stringify({ name: "read" }) });
    expect(reply.status).toBe(415);
    expect(reply.json()).toMatchObject({ error: { code: "unsupported-media-type" } });
  });

  it("refuses a body that is nested too deep", async () => {
    const body = `{"name":"read","arguments":${"[".repeat(6_000)}${"]".repeat(6_000)}}`;
    const headers = { "content-type": "application/json" };
    const reply = await get("/api/calls", { method: "POST", headers, body });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: { code: "invalid-request", message: expect.stringContaining("200 deep") },
    });
  });

  it("takes bodies up to 10 MB", async () => {
    const args = { path: "." };
    const fitting = { name: "read", arguments: { ...args, filler: "x".repeat(10_000_000) } };
    expect((await call(fitting)).result.metadata.error_code).toBe("invalid-arguments");
    const head = `POST /api/calls HTTP/1.1\r\nHost: 127.0.0.1:${workbench.port}\r\nConnection: close`;
    const authorization = `Authorization: Bearer ${token}`;
    const length = "Content-Type: application/json\r\nContent-Length: 11000000";
    const reply = await sendRaw(workbench.port, `${head}\r\n${authorization}\r\n${length}\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('"code":"too-large"');
  });

  it("lists the tools as a model sees them", async () => {
    const tools = (await get("/api/tools")).json<ShownTool[]>();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["read", "write", "todo"]),
    );
    expect(tools[0]).toMatchObject({
      description: expect.any(String),
      input_schema: { type: "object" },
      kind: expect.any(String),
    });
  });

  it("says what it serves and what is not here yet", async () => {
    expect((await get("/api/status")).json()).toEqual({
      version: "1.2.3",
      workspace: workbench.workspace,
      missing: expect.arrayContaining([
        "Publishing and versioning tools",
        "Organizations and keys",
        "MCP over HTTP at /mcp",
        "Search through the history of calls",
      ]),
    });
  });

  it("gives an unknown tool's error in the envelope", async () => {
    const { id, result } = await call({ name: "raed", arguments: { path: "." } });
    expect(id).toEqual(expect.any(String));
    expect(result).toMatchObject({ type: "error", metadata: { error_code: "unknown-tool" } });
  });

  it("reads a file", async () => {
    await writeFile(inWorkspace("greeting.txt"), "hello\nworld\n");
    const { result } = await call({ name: "read", arguments: { path: "greeting.txt" } });
    expect(result).toMatchObject({
      type: "output",
      data: { path: inWorkspace("greeting.txt"), content: expect.stringContaining("hello") },
      metadata: { duration_ms: expect.any(Number) },
    });
  });

  it("writes only with approval", async () => {
    const args = { path: "note.txt", content: "noted\n" };
    const asked = await call({ name: "write", arguments: args });
    expect(asked.result).toMatchObject({
      type: "error",
      error_text: expect.stringMatching(/^This call needs your approval \(.+\)\. /),
      metadata: { error_code: "headless" },
    });
    expect(asked.approval).toEqual({ tool: "write", arguments: args, reason: expect.any(String) });
    await expect(readFile(inWorkspace("note.txt"))).rejects.toThrow("ENOENT");

    const approved = await call({ name: "write", arguments: args, approve: true });
    expect(approved.result).toMatchObject({
      type: "output",
      metadata: { track_files: [inWorkspace("note.txt")] },
    });
    expect(approved.approval).toBeUndefined();
    expect(await readFile(inWorkspace("note.txt"), "utf8")).toBe("noted\n");
  });

  it("asks again for other arguments, and for the same ones", async () => {
    const args = { path: "note.txt", content: "one\n" };
    await call({ name: "write", arguments: args, approve: true });
    for (const again of [args, { ...args, content: "two\n" }, { ...args, path: "other.txt" }]) {
      const { result } = await call({ name: "write", arguments: again });
      expect(result.metadata.error_code).toBe("headless");
    }
    expect(await readFile(inWorkspace("note.txt"), "utf8")).toBe("one\n");
  });

  it("does not apply an approval to another concurrent call", async () => {
    const write = (path: string) => ({ name: "write", arguments: { path, content: path } });
    const [approved, other] = await Promise.all([
      call({ ...write("a.txt"), approve: true }),
      call(write("b.txt")),
    ]);
    expect(approved.result.type).toBe("output");
    expect(other.result.metadata.error_code).toBe("headless");
  });

  it("stops a call whose caller went away", async () => {
    const caller = new AbortController();
    const reply = fetch(`${workbench.url}/api/calls`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "wait", approve: true }),
      signal: caller.signal,
    });
    await began;
    caller.abort();
    await expect(reply).rejects.toThrow("aborted");
    await stopped;
    await expect.poll(listCalls).toMatchObject([{ name: "wait", state: "cancelled" }]);
  });

  it("lists the calls that were made, newest first", async () => {
    const args = { path: "long.txt", content: "x".repeat(1_000) };
    await call({ name: "read", arguments: { path: "." } });
    await call({ name: "read", arguments: { path: "missing.txt" } });
    const { id } = await call({ name: "write", arguments: args, approve: true });
    const calls = await listCalls();
    expect(calls).toMatchObject([
      { id, name: "write", state: "done", metadata: { track_files: [inWorkspace("long.txt")] } },
      { name: "read", state: "error", metadata: { error_code: "not-found" } },
      { name: "read", state: "done", arguments: '{"path":"."}' },
    ]);
    expect(calls[0]?.arguments.length).toBeLessThan(400);
    expect(calls[1]?.error_text).toContain("missing.txt");
    expect(Date.parse(calls[0]?.ended_at ?? "")).not.toBeNaN();
  });

  it("lists a hundred calls at most", async () => {
    for (let made = 0; made < 103; made++) await call({ name: `unknown-${made}` });
    const calls = await listCalls();
    expect(calls).toHaveLength(100);
    expect(calls[0]?.name).toBe("unknown-102");
    expect(calls[99]?.name).toBe("unknown-3");
  });
});
