import type { InjectOptions } from "fastify";
import { createLog } from "../operations/logging.ts";
import { Problem } from "../problem.ts";
import type { ApiServer } from "./create-api-server.ts";
import { defineRoute } from "./route.ts";
import { makeApiServer } from "./test-support/open-api-server.ts";
import { administrator, organization, powerless } from "./test-support/sample-authenticator.ts";
import { sampleRoutes } from "./test-support/sample-routes.ts";

const authorization = `Bearer ${administrator.token}`;
const tools = `/v1/${organization}/tool/`;

describe("the API server", () => {
  let api: ApiServer;
  const lines: string[] = [];
  beforeAll(async () => {
    const log = createLog({ level: "info", stream: { write: (line) => lines.push(line) } });
    api = await makeApiServer({
      log,
      routes: [
        ...sampleRoutes,
        defineRoute({
          method: "GET",
          url: "/v1/:organization/answer/:kind",
          operationId: "answer",
          summary: "Answers in several ways.",
          permission: null,
          schema: { response: { 200: null } },
          handle: async ({ params }) => {
            const { kind } = params as { readonly kind: string };
            if (kind === "bytes") return { status: 200, body: new Uint8Array([1, 2, 3]) };
            if (kind === "text") return { status: 200, body: "plain" };
            if (kind === "nothing") return { status: 200 };
            if (kind === "busy") throw new Problem(409, "Busy.", { "retry-after": "3" });
            // What a careless route might do.
            return Promise.reject("no error");
          },
        }),
      ],
    });
  });
  afterAll(() => api.close());

  const send = async (options: InjectOptions) => {
    const response = await api.fastify.inject({ headers: { authorization }, ...options });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  };
  const create = (payload: string, headers = {}) =>
    send({
      method: "POST",
      url: tools,
      payload,
      headers: { authorization, "content-type": "application/json", ...headers },
    });

  it("answers with what a route gives, whole, whatever its schema says", async () => {
    const { status, headers, body } = await send({ url: tools });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(body)).toEqual({ query: { id: [], sort_by: [], limit: 10 }, extra: "kept" });
  });

  it("sends bytes, text and nothing as they are", async () => {
    const url = `/v1/${organization}/answer`;
    const bytes = await api.fastify.inject({ url: `${url}/bytes`, headers: { authorization } });
    expect([...bytes.rawPayload]).toEqual([1, 2, 3]);
    expect(bytes.headers["content-type"]).toBe("application/octet-stream");
    expect(await send({ url: `${url}/text` })).toMatchObject({ status: 200, body: "plain" });
    expect(await send({ url: `${url}/nothing` })).toMatchObject({ status: 200, body: "" });
    const removed = await send({ method: "DELETE", url: `${tools}${"d".repeat(24)}` });
    expect(removed).toMatchObject({ status: 204, body: "" });
  });

  it("takes paths with and without a trailing slash, and only as they are written", async () => {
    expect(await send({ url: tools.slice(0, -1) })).toMatchObject({ status: 200 });
    expect(await send({ url: tools.replace("/tool/", "/TOOL/") })).toMatchObject({ status: 404 });
  });

  it("keeps what a body has beyond its schema, and fills in defaults", async () => {
    const { status, body } = await create('{"tool_name":"t","more":{"a":1}}');
    expect(status).toBe(201);
    expect(JSON.parse(body).body).toEqual({ tool_name: "t", more: { a: 1 }, tags: {} });
  });

  it("waits for a caller who is not known at once", async () => {
    const known = { authorization: `Bearer slow-${administrator.token}` };
    expect(await send({ url: tools, headers: known })).toMatchObject({ status: 200 });
    const unknown = { authorization: "Bearer slow-nobody" };
    expect(await send({ url: tools, headers: unknown })).toMatchObject({ status: 401 });
  });

  it("checks in this order: credentials, path, permission, input", async () => {
    const url = `${tools}not-an-id`;
    const anonymous = await send({ method: "DELETE", url, headers: {} });
    expect(anonymous).toMatchObject({ status: 401 });
    expect(anonymous.headers["www-authenticate"]).toBe("Bearer");
    const elsewhere = url.replace(organization, "f".repeat(24));
    expect(await send({ method: "DELETE", url: elsewhere })).toMatchObject({ status: 404 });
    const weak = { authorization: `Bearer ${powerless.token}` };
    const forbidden = await send({ method: "DELETE", url, headers: weak });
    expect(forbidden).toMatchObject({ status: 403 });
    expect(JSON.parse(forbidden.body).detail).toContain("Tool:DeleteTool");
    const malformed = await send({ method: "DELETE", url });
    expect(malformed).toMatchObject({ status: 422 });
    // The fields, and all of it in one sentence.
    const { detail, message } = JSON.parse(malformed.body);
    expect(message).toContain(detail[0].msg);
  });

  it("reports a problem with its status, sentence and headers", async () => {
    expect(await create('{"tool_name":"taken"}')).toMatchObject({
      status: 409,
      body: '{"detail":"There is a tool of this name."}',
    });
    const busy = await send({ url: `/v1/${organization}/answer/busy` });
    expect(busy).toMatchObject({ status: 409, body: '{"detail":"Busy."}' });
    expect(busy.headers["retry-after"]).toBe("3");
  });

  it("hides its own faults behind an id that is in the log", async () => {
    lines.length = 0;
    const { status, body } = await create('{"tool_name":"broken"}');
    expect(status).toBe(500);
    expect(body).not.toContain("secret detail");
    const [errorId] = /[\da-f-]{36}/u.exec(body) as RegExpExecArray;
    const fault = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "fault");
    expect(fault).toMatchObject({ level: "error", error_id: errorId, error: "Error" });
    expect(await send({ url: `/v1/${organization}/answer/other` })).toMatchObject({ status: 500 });
  });

  it.each([
    ["JSON that ends too early", "{", 400],
    ["two values", "1 2", 400],
    ["a prototype as a member", '{"__proto__":{"a":1}}', 400],
    ["a prototype behind escapes", '{"\\u005f_proto__":{"a":1}}', 400],
    ["a constructor's prototype", '{"constructor":{"prototype":{}}}', 400],
    ["an empty body", "", 422],
    ["null", "null", 422],
  ])("refuses %s", async (_what, payload, status) => {
    const refused = await create(payload);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body).detail).not.toHaveLength(0);
  });

  it("reads escapes and harmless names as what they are", async () => {
    const { body } = await create('{"tool_name":"\\u00e9","constructor":"x"}');
    expect(JSON.parse(body).body).toMatchObject({ tool_name: "é", constructor: "x" });
  });

  it("refuses bodies that are not JSON", async () => {
    const refused = await create("tool_name=x", { "content-type": "text/plain" });
    expect(refused).toMatchObject({ status: 415 });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(await create("tool_name=x", form)).toMatchObject({ status: 415 });
    expect(await create("{}", { "content-type": "nonsense" })).toMatchObject({ status: 415 });
  });

  it("says where there is nothing, and which methods a path takes", async () => {
    const nothing = await send({ url: "/nothing?token=secret" });
    expect(nothing).toMatchObject({
      status: 404,
      body: '{"detail":"There is nothing at GET /nothing."}',
    });
    const wrong = await send({ method: "PUT", url: tools });
    expect(wrong).toMatchObject({ status: 405, headers: { allow: "GET, POST" } });
    expect(await send({ method: "POST", url: "/healthz" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });

  it.each([
    ["/v1/%zz/tool/", 400],
    ["/%", 400],
    [`/v1/${organization}/tool/%00`, 422],
    [`/v1/${organization}/tool/?sort_by=%00`, 422],
    [`/v1/${organization}/tool/${"x".repeat(5_000)}`, 414],
    [`/${"x".repeat(5_000)}`, 404],
    ["//", 404],
    [`/v1//${organization}/tool/`, 404],
  ])("answers %s with a sentence", async (url, status) => {
    const method = url.includes("?") || status === 404 || status === 400 ? "GET" : "DELETE";
    const refused = await send({ method, url });
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body).detail).not.toHaveLength(0);
    expect(refused.headers["x-content-type-options"]).toBe("nosniff");
  });

  it("marks every answer as data for the caller alone, and names it", async () => {
    for (const url of [tools, "/nothing", "/healthz"]) {
      const { headers } = await send({ url });
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.stringMatching(/^[\da-f]{12}-\w+$/u),
      });
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
    const named = await send({ url: tools, headers: { authorization, "x-request-id": "mine-1" } });
    expect(named.headers["x-request-id"]).toBe("mine-1");
    const odd = await send({ url: tools, headers: { authorization, "x-request-id": 'x"y z' } });
    expect(odd.headers["x-request-id"]).not.toContain('"');
  });

  it("writes one line for a request, with nothing that was sent", async () => {
    lines.length = 0;
    await create('{"tool_name":"private-name","value":"private-value"}');
    await send({ url: `${tools}?sort_by=private-query` });
    const requests = lines.map((line) => JSON.parse(line));
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({
      level: "info",
      route: "POST /v1/:organization/tool/",
      status: 201,
      organization,
      key_id: `key of ${administrator.token}`,
      duration_ms: expect.any(Number),
      request_id: expect.any(String),
    });
    // The id of a key is no secret; the credential itself is.
    expect(lines.join("")).not.toMatch(/private|Bearer/u);
  });
});
