import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

describe("haft serve", () => {
  it("serves the page, health and MCP, says where, and stops when told to", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const stop = new AbortController();
    const { promise: greeting, resolve: greet } = Promise.withResolvers<string>();
    const serving = haft(["serve", "--port", "0"], {
      environment: { HAFT_TOKEN: "a-token-of-the-test" },
      signal: stop.signal,
      onOutput: greet,
    });
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(await greeting)?.[0];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const answer = await fetch(`${url}/api/calls`, {
      method: "POST",
      headers: { authorization: "Bearer a-token-of-the-test", "content-type": "application/json" },
      body: JSON.stringify({ name: "read", arguments: { path: "a.txt" } }),
    });
    expect(await answer.json()).toMatchObject({ result: { data: { content: "1: one" } } });
    const mcp = (authorization: string) =>
      fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          authorization,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }),
      });
    expect((await mcp("")).status).toBe(401);
    const greeted = await mcp("Bearer a-token-of-the-test");
    expect(await greeted.text()).toContain('"name":"haft"');
    stop.abort();
    expect((await serving).exitCode).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it.each(["--tls-cert", "--tls-key"])("refuses %s without the other", async (option) => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["serve", option, "a.pem"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--tls-cert and --tls-key belong together");
  });

  it("warns that credentials travel in clear on other addresses", async () => {
    const stop = new AbortController();
    stop.abort();
    const { stderr } = await createTestWorkspace().haft(
      ["serve", "--host", "0.0.0.0", "--port=0"],
      {
        signal: stop.signal,
      },
    );
    expect(stderr).toContain("on 0.0.0.0, API keys and tokens travel unencrypted");
  });

  it.each(["x", "-1", "70000"])("refuses the port %s", async (port) => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["serve", `--port=${port}`]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(port);
  });
});
