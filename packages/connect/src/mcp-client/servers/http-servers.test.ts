import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpSettings } from "../store/mcp-server-entry.ts";
import { useGuardedServer, useServers } from "../test-support/use-servers.ts";

function settingsFor(url: string): HttpSettings {
  return { type: "http", url, headers: {}, hosts: [] };
}

async function serve(answer: (path: string) => { status: number; body: string }): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? "");
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe("a remote server", () => {
  it("is reconnected after a pause when it has forgotten the session", async () => {
    const { url, setDown } = await useGuardedServer();
    const place = useServers();
    await place.add("s", settingsFor(url));
    let now = 0;
    const { session } = await place.open({
      now: () => now,
      monotonic: () => now,
      after: () => ({ cancel: () => {}, hold: () => {} }),
    });
    const say = () => session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(await say()).toMatchObject({ data: "hi" });
    setDown(true);
    expect(await say()).toMatchObject({ metadata: { error_code: "unavailable" } });
    setDown(false);
    expect(await say()).toMatchObject({ error_text: expect.stringContaining("possible in 1 s") });
    now += 1_001;
    expect(await say()).toMatchObject({ data: "hi" });
  });

  it.each([
    ["is no server of tools", { status: 200, body: '"hello"' }],
    ["has an error of its own", { status: 500, body: "\u001b[2Jbroken" }],
  ])("is unavailable if it %s", async (_, answer) => {
    const url = await serve(() => answer);
    const failure = useServers({ timeoutMs: 2_000 }).add("s", settingsFor(url));
    await expect(failure).rejects.toMatchObject({
      code: "unavailable",
      message: expect.not.stringContaining("\u001b"),
    });
  });

  it("is not followed to another private address", async () => {
    let asked = false;
    const inner = await serve(() => {
      asked = true;
      return { status: 200, body: "{}" };
    });
    const server = createServer((_, response) => {
      response.writeHead(307, { Location: inner }).end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const failure = useServers({ timeoutMs: 2_000 }).add("s", settingsFor(url));
    await expect(failure).rejects.toMatchObject({ code: "unavailable" });
    expect(asked).toBe(false);
  });
});
