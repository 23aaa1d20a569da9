import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

describe("haft serve", () => {
  it("serves the page and health, says where, and stops when told to", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const stop = new AbortController();
    const { promise: greeting, resolve: greeted } = Promise.withResolvers<string>();
    const serving = haft(["serve", "--port", "0"], {
      environment: { HAFT_TOKEN: "a-token-of-the-test" },
      signal: stop.signal,
      onOutput: greeted,
    });
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(await greeting)?.[0];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const answer = await fetch(`${url}/api/calls`, {
      method: "POST",
      headers: { authorization: "Bearer a-token-of-the-test", "content-type": "application/json" },
      body: JSON.stringify({ name: "read", arguments: { path: "a.txt" } }),
    });
    expect(await answer.json()).toMatchObject({ result: { data: { content: "1: one" } } });
    stop.abort();
    expect((await serving).exitCode).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it.each(["x", "-1", "70000"])("refuses the port %s", async (port) => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["serve", `--port=${port}`]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(port);
  });
});
