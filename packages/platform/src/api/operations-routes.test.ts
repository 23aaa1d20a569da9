import { createMetrics } from "../operations/metrics.ts";
import { Problem } from "../problem.ts";
import { defineRoute } from "./route.ts";
import { makeApiServer, openApiServer } from "./test-support/open-api-server.ts";
import { administrator, organization } from "./test-support/sample-authenticator.ts";
import { sampleRoutes } from "./test-support/sample-routes.ts";

describe("health and readiness", () => {
  it("are told to anybody, without details", async () => {
    let ok = true;
    const health = {
      ready: async () => ({ ok, checks: { database: ok ? "ok" : "no connection to 10.0.0.1" } }),
    };
    const api = await makeApiServer({ health });
    const get = async (url: string) => {
      const { statusCode, body } = await api.fastify.inject({ url });
      return [statusCode, JSON.parse(body)];
    };
    expect(await get("/healthz")).toEqual([200, { status: "ok", version: "1.2.3" }]);
    expect(await get("/readyz")).toEqual([200, { status: "ok", checks: { database: "ok" } }]);
    ok = false;
    const failed = [503, { status: "unavailable", checks: { database: "failed" } }];
    expect(await get("/readyz")).toEqual(failed);
    expect((await api.fastify.inject({ method: "HEAD", url: "/healthz" })).statusCode).toBe(200);
    await api.close();
  });

  it("survive a check that throws", async () => {
    const health = { ready: () => Promise.reject(new Error("private")) };
    const api = await makeApiServer({ health });
    const { statusCode, body } = await api.fastify.inject({ url: "/readyz" });
    expect([statusCode, body]).toEqual([
      503,
      '{"status":"unavailable","checks":{"server":"failed"}}',
    ]);
    await api.close();
  });
});

describe("metrics", () => {
  it("count requests by route and status, and are shown on this machine or for the token", async () => {
    const api = await makeApiServer({ metrics: createMetrics(), metricsToken: "watcher" });
    await api.fastify.inject({ url: `/v1/${organization}/tool/` });
    const get = async (remoteAddress: string, headers = {}) =>
      api.fastify.inject({ url: "/metrics", remoteAddress, headers });
    const local = await get("127.0.0.1");
    expect(local.statusCode).toBe(200);
    expect(local.body).toContain(
      'haft_http_request_duration_seconds_count{route="GET /v1/:organization/tool/",status="401"} 1',
    );
    expect(local.body).toContain("process_cpu_seconds_total");
    expect((await get("10.1.2.3")).statusCode).toBe(401);
    expect((await get("127.0.0.1", { "x-forwarded-for": "10.1.2.3" })).statusCode).toBe(401);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await get("10.1.2.3", bearer("guess"))).statusCode).toBe(401);
    expect((await get("10.1.2.3", bearer(administrator.token))).statusCode).toBe(401);
    expect((await get("10.1.2.3", bearer("watcher"))).statusCode).toBe(200);
    await api.close();
  });
});

describe("a server that is to stop", () => {
  const began = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const route = defineRoute({
    method: "GET",
    url: "/v1/:organization/slow",
    operationId: "slow",
    summary: "Takes its time.",
    permission: null,
    schema: { response: { 200: null } },
    handle: async () => {
      began.resolve();
      await slow.promise;
      return { status: 200, body: "finished" };
    },
  });

  it("refuses new requests, finishes those under way, and says that it is not ready", async () => {
    const api = await openApiServer({ routes: [...sampleRoutes, route] });
    const headers = { authorization: `Bearer ${api.token}` };
    const get = (path: string) => fetch(`${api.url}${path}`, { headers });
    const underWay = get(`/v1/${organization}/slow`);
    await began.promise;
    let drained = false;
    const draining = api.drain().then(() => {
      drained = true;
    });

    const refused = await get(`/v1/${organization}/tool/`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.headers.get("connection")).toBe("close");
    expect(await refused.json()).toEqual({
      detail: "The server is stopping. Try again in a few seconds.",
    });
    const ready = await get("/readyz");
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: "unavailable", checks: { server: "stopping" } },
    ]);
    expect((await get("/healthz")).status).toBe(200);
    expect(drained).toBe(false);

    slow.resolve();
    expect(await (await underWay).text()).toBe("finished");
    await draining;
    await api.close();
  });

  it("does not wait longer than it was given", async () => {
    const never = { ...route, handle: () => new Promise<never>(() => {}) };
    const api = await openApiServer({ routes: [never], graceMs: 50 });
    const headers = { authorization: `Bearer ${api.token}` };
    const lost = fetch(`${api.url}/v1/${organization}/slow`, { headers }).catch(() => "lost");
    // Answered on the same server after the other was received.
    await fetch(`${api.url}/healthz`);
    await api.drain();
    await api.close();
    expect(await lost).toBe("lost");
  });

  it("is done at once when nothing is under way, even after callers went away", async () => {
    const api = await openApiServer({ routes: [route], graceMs: 100_000 });
    const response = await fetch(`${api.url}/v1/${organization}/slow`);
    expect(response.status).toBe(401);
    await response.text();
    await api.drain();
    await api.close();
  });
});

describe("the API's own description", () => {
  it("is OpenAPI 3.1 of what is served, with every error and what a caller needs", async () => {
    const archived = defineRoute({
      method: "GET",
      url: "/v1/:organization/archive",
      operationId: "archive",
      summary: "Gives bytes.",
      permission: null,
      schema: { response: { 200: { type: "string", contentMediaType: "application/gzip" } } },
      handle: async () => ({ status: 200, body: new Uint8Array() }),
    });
    const api = await makeApiServer({ routes: [...sampleRoutes, archived] });
    const { statusCode, body } = await api.fastify.inject({ url: "/openapi.json" });
    expect(statusCode).toBe(200);
    const document = JSON.parse(body);
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Haft", version: "1.2.3" } });
    expect(Object.keys(document.paths).sort()).toEqual([
      "/v1/{organization}/archive",
      "/v1/{organization}/tool/",
      "/v1/{organization}/tool/git/{git_path}",
      "/v1/{organization}/tool/{tool_id}",
      "/v1/{organization}/tool/{tool_id}/version/{version}/invoke",
      "/v1/{organization}/user/signin_with_api_key",
    ]);
    const { get: list, post: create } = document.paths["/v1/{organization}/tool/"];
    expect(list.parameters).toContainEqual({
      in: "query",
      name: "deprecated",
      required: false,
      schema: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    });
    expect(create).toMatchObject({
      operationId: "create-tool",
      description: "Needs the permission `Tool:CreateTool`.",
      tags: ["tool"],
      security: [{ bearer: [] }],
      responses: {
        401: {
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/ErrorResponse" } },
          },
        },
        422: {
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/HTTPValidationError" } },
          },
        },
      },
    });
    expect(create.responses["201"].content["application/json"].schema.required).toEqual([
      "tool_id",
    ]);
    expect(document.paths["/v1/{organization}/tool/{tool_id}"].delete.responses["204"]).toEqual({
      description: "Done.",
    });
    const archive = document.paths["/v1/{organization}/archive"].get.responses["200"];
    expect(Object.keys(archive.content)).toEqual(["application/gzip"]);
    const git = document.paths["/v1/{organization}/tool/git/{git_path}"];
    expect(git.get.security).toEqual([{ basic: [] }, { bearer: [] }]);
    expect([git.get.operationId, git.post.operationId]).toEqual([
      "access-git-interface",
      "access-git-interface-post",
    ]);
    expect(document.paths["/v1/{organization}/user/signin_with_api_key"].post.security).toEqual([]);
    expect(Object.keys(document.components.schemas).sort()).toEqual([
      "ErrorResponse",
      "HTTPValidationError",
      "ValidationError",
    ]);
    await api.close();
  });

  it("is not made of a schema that is none: the start names the route", async () => {
    const broken = defineRoute({
      method: "GET",
      url: "/v1/:organization/broken",
      operationId: "broken",
      summary: "Has a schema that is none.",
      permission: null,
      schema: { querystring: { type: "nonsense" as "string" }, response: {} },
      handle: () => Promise.reject(new Problem(500, "never")),
    });
    await expect(makeApiServer({ routes: [broken] })).rejects.toThrow("the route broken");
  });
});
