import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMetrics } from "../operations/metrics.ts";
import type { ApiServer } from "./create-api-server.ts";
import { RateCounter } from "./rate-counter.ts";
import { makeApiServer } from "./test-support/open-api-server.ts";
import {
  administrator,
  createSampleAuthenticator,
  organization,
} from "./test-support/sample-authenticator.ts";

const settings = { requestsPerMinute: 3, maxBodyBytes: 1_000 };
const second = { ...administrator, token: "token-second" };
const tools = `/v1/${organization}/tool/`;

describe("rate limits", () => {
  let api: ApiServer;
  const metrics = createMetrics();
  beforeEach(async () => {
    const authenticator = createSampleAuthenticator([administrator, second]);
    api = await makeApiServer({ settings, authenticator, metrics });
  });
  afterEach(() => api.close());

  const send = async (token: string | undefined, url = tools) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { statusCode, headers: got, body } = await api.fastify.inject({ url, headers });
    return { status: statusCode, headers: got, body };
  };
  const limitOf = (headers: Readonly<Record<string, unknown>>) => [
    headers["x-ratelimit-limit"],
    headers["x-ratelimit-remaining"],
  ];

  it("never state more time than a window has, whatever the clock shows", () => {
    const ttls: number[] = [];
    const counter = new RateCounter({ steadyNow: () => 521_020.662_426_353_14 });
    counter.incr("a", (_, { ttl }) => ttls.push(ttl), 60_000);
    expect(ttls).toEqual([60_000]);
  });

  it("say with every answer how many requests are left, and refuse the next", async () => {
    const left: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const { headers } = await send(administrator.token);
      left.push(limitOf(headers));
      // Seconds since 1970, as clients of other APIs expect.
      const reset = Number(headers["x-ratelimit-reset"]) - Date.now() / 1_000;
      expect(reset > 0 && reset <= 62).toBe(true);
    }
    expect(left).toEqual([
      ["3", "2"],
      ["3", "1"],
      ["3", "0"],
    ]);
    const { status, headers, body } = await send(administrator.token);
    expect(status).toBe(429);
    expect(limitOf(headers)).toEqual(["3", "0"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(JSON.parse(body).detail).toMatch(/^Too many requests\. Try again in \d+ s/u);
    expect(await metrics.text()).toContain(
      'haft_rate_limited_total{route="/v1/:organization/tool/"} 1',
    );
  });

  it("count for each key and each route by itself", async () => {
    for (let count = 0; count < 4; count++) await send(administrator.token);
    expect(await send(administrator.token)).toMatchObject({ status: 429 });
    expect(await send(second.token)).toMatchObject({ status: 200 });
    const git = await send(administrator.token, `/v1/${organization}/tool/git/info/refs`);
    expect(git).toMatchObject({ status: 200 });
  });

  it("hold before a body is read or judged", async () => {
    const inject = () =>
      api.fastify.inject({
        method: "POST",
        url: tools,
        headers: { authorization: `Bearer ${second.token}`, "content-type": "application/json" },
        payload: "{",
      });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await inject()).statusCode);
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  it("hold for addresses where anybody may ask", async () => {
    const inject = () =>
      api.fastify.inject({
        method: "POST",
        url: `/v1/${organization}/user/signin_with_api_key`,
        headers: { "x-api-key": "a", "x-api-key-id": "b" },
      });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await inject()).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it("hold for addresses that are refused too often, and never against a good credential", async () => {
    const statuses = new Map<number, number>();
    for (let count = 0; count < 1_010; count++) {
      const { status, headers } = await send(count % 2 === 0 ? undefined : "wrong");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(headers["x-ratelimit-limit"]).toBe("1000");
    }
    expect([...statuses]).toEqual([
      [401, 1_000],
      [429, 10],
    ]);
    expect(await send(administrator.token)).toMatchObject({ status: 200 });
  });

  it("hold for callers that have no address", async () => {
    const directory = await mkdtemp(join(tmpdir(), "haft-rate-limits-"));
    const socketPath = join(directory, "api.sock");
    const listener = createServer(api.handle).listen(socketPath);
    await once(listener, "listening");
    const outgoing = request({ socketPath, path: tools, agent: false });
    const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
    outgoing.end();
    const [response] = await answered;
    expect(response.statusCode).toBe(401);
    response.resume();
    listener.close();
    await once(listener, "close");
    await rm(directory, { recursive: true });
  });

  it("leave health alone", async () => {
    for (let count = 0; count < 6; count++) {
      expect(await send(undefined, "/healthz")).toMatchObject({ status: 200 });
    }
  });
});
