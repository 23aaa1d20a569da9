import { describe, expect, it, onTestFinished } from "vitest";
import { createServerBuilder } from "../build-server.ts";
import { openServing } from "../test-support/open-serving.ts";
import { createLegacySessions, type SessionLimits } from "./legacy-sessions.ts";

const post = (body: unknown, id?: string): Request =>
  new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(id !== undefined && { "mcp-session-id": id }),
    },
    body: JSON.stringify(body),
  });

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};
const ping = { jsonrpc: "2.0", id: 2, method: "ping" };

function open(limits: SessionLimits) {
  const builder = createServerBuilder(openServing());
  const sessions = createLegacySessions(builder, limits);
  onTestFinished(async () => {
    await builder.close();
    await sessions.close();
  });
  const fetch = async (body: unknown, id?: string) => {
    const response = await sessions.fetch(post(body, id), body);
    await response.text();
    return response;
  };
  const begin = async () => (await fetch(initialize)).headers.get("mcp-session-id") as string;
  return { sessions, fetch, begin };
}

describe("sessions of the legacy era", () => {
  it("give way to new ones when there are too many, the longest unused first", async () => {
    const { fetch, begin } = open({ maxSessions: 2, idleMs: 60_000 });
    const [first, second] = [await begin(), await begin()];
    await fetch(ping, first);
    const third = await begin();
    const statuses = [first, second, third].map(async (id) => (await fetch(ping, id)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404, 200]);
  });

  it("are not ended while they are in use", async () => {
    const { sessions, fetch, begin } = open({ maxSessions: 1, idleMs: 1 });
    const id = await begin();
    const stream = await sessions.fetch(
      new Request("http://127.0.0.1/mcp", {
        headers: { accept: "text/event-stream", "mcp-session-id": id },
      }),
      undefined,
    );
    expect(stream.status).toBe(200);
    expect((await fetch(initialize)).status).toBe(503);
    await stream.body?.cancel();
    await expect.poll(async () => (await fetch(initialize)).status).toBe(200);
  });

  it("end when nothing happens in them", async () => {
    const { fetch, begin } = open({ maxSessions: 2, idleMs: 100 });
    const id = await begin();
    const { promise, resolve } = Promise.withResolvers();
    setTimeout(resolve, 300);
    await promise;
    expect((await fetch(ping, id)).status).toBe(404);
  });
});
