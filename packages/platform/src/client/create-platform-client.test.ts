import { describe, expect, it } from "vitest";
import { createPlatformClient } from "./create-platform-client.ts";
import { PlatformError } from "./platform-error.ts";
import { type Answer, sendJson, serveAnswers } from "./test-support/serve-answers.ts";

const organization = "a".repeat(24);
const toolId = "b".repeat(24);
const whoami = {
  organization,
  organization_name: "acme",
  user_id: "c".repeat(24),
  api_key_id: "d".repeat(24),
  role: "DefaultAdministratorRole",
  permissions: [],
};

async function open(answer: Answer, given: { readonly organization?: string } = { organization }) {
  const { url, asked } = await serveAnswers(answer);
  return { client: createPlatformClient({ url: `${url}/`, apiKey: "key", ...given }), asked, url };
}

async function failure(promise: Promise<unknown>): Promise<PlatformError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!PlatformError.isInstance(error)) throw new Error(`It did not fail as it should: ${error}`);
  return error;
}

function events(list: readonly (readonly [string, unknown])[]): string {
  return list.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");
}

describe("the platform's client", () => {
  it("asks once whose key it is, and sends the key with every request", async () => {
    const { client, asked } = await open((one, response) => {
      if (one.url === "/v1/whoami") sendJson(response, 200, whoami);
      else sendJson(response, 200, { tools: [], has_more: false, continuation_token: null });
    }, {});
    await client.tools.list({ tag: ["a:1", "b:"], deprecated: false, sort_by: ["+name"] });
    await client.tools.list();
    expect(asked.map(({ url }) => url)).toEqual([
      "/v1/whoami",
      `/v1/${organization}/tool/?tag=a%3A1&tag=b%3A&deprecated=false&sort_by=%2Bname`,
      `/v1/${organization}/tool/`,
    ]);
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer key"]),
    );
    expect(await client.whoami()).toEqual(whoami);
    expect(asked.length).toBe(3);
  });

  it("asks again whose key it is after a failure", async () => {
    let answers = 0;
    const { client } = await open((_, response) => {
      answers += 1;
      if (answers === 1) sendJson(response, 503, { detail: "In maintenance." });
      else sendJson(response, 200, whoami);
    }, {});
    expect(await failure(client.organization())).toMatchObject({ status: 503 });
    expect(await client.organization()).toBe(organization);
  });

  it("puts ids and constraints into paths so that they stay one part", async () => {
    const { client, asked } = await open((_, response) => {
      response.writeHead(204).end();
    });
    await client.versions.deprecate(toolId, ">=1.0,<2");
    await client.tools.modify(toolId, { description: "New." });
    await client.tools.variables(toolId, { deletes: [{ name: "A" }] });
    await client.request("GET", "/v1/{organization}/anything", {
      query: { at: 1, none: undefined },
    });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `DELETE /v1/${organization}/tool/${toolId}/version/%3E%3D1.0%2C%3C2`,
      `POST /v1/${organization}/tool/${toolId}`,
      `POST /v1/${organization}/tool/${toolId}/envvar`,
      `GET /v1/${organization}/anything?at=1`,
    ]);
    expect(asked[1]?.body).toBe('{"description":"New."}');
    expect(asked[1]?.headers["content-type"]).toBe("application/json");
  });

  it("finds a tool by its name on whichever page it is, and prefers one that is in use", async () => {
    const tool = (name: string, deprecated: boolean) => ({
      id: `${name}${deprecated}`,
      name,
      deprecated,
    });
    const { client, asked } = await open(({ url }, response) => {
      const first = url.includes("continuation_token=0");
      sendJson(response, 200, {
        tools: first ? [tool("a", false), tool("b", true)] : [tool("b", false)],
        has_more: first,
        continuation_token: first ? 2 : null,
        filter_values: null,
      });
    });
    expect(await client.tools.find("b")).toMatchObject({ id: "bfalse" });
    expect(await client.tools.find("a")).toMatchObject({ id: "afalse" });
    expect(await client.tools.find("c")).toBeUndefined();
    expect(asked.every(({ url }) => url.includes("limit=20"))).toBe(true);
  });

  it("tells what goes on while a version is published", async () => {
    const { client, asked } = await open(async (_, response) => {
      response.writeHead(201, { "content-type": "text/event-stream" });
      response.write(": soon\n\n");
      response.end(
        events([
          ["progress", { state: "checking", message: "Checking." }],
          ["log", { line: "ok 1" }],
          ["progress", { state: "active", message: "Done." }],
          ["result", { new_version: "1.0.0" }],
        ]),
      );
    });
    const told: unknown[] = [];
    const published = await client.versions.publish(
      toolId,
      { project_path: "tool", bump_type: "minor" },
      { onProgress: ({ state }) => told.push(state), onLog: (line) => told.push(line) },
    );
    expect([published, told]).toEqual([{ new_version: "1.0.0" }, ["checking", "ok 1", "active"]]);
    expect(asked[0]?.headers.accept).toContain("text/event-stream");
  });

  it("takes plain JSON from a server that does not stream", async () => {
    const { client } = await open((_, response) =>
      sendJson(response, 201, { new_version: "2.0.0" }),
    );
    const publication = { project_path: "tool", bump_type: "major" } as const;
    expect(await client.versions.publish(toolId, publication)).toEqual({ new_version: "2.0.0" });
  });

  it("fails with what a stream ends with, and when it ends too early", async () => {
    let end: readonly (readonly [string, unknown])[] = [
      ["error", { status: 400, detail: "A test failed." }],
    ];
    const { client } = await open((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.end(events(end));
    });
    const publication = { project_path: "tool", bump_type: "patch" } as const;
    expect(await failure(client.versions.publish(toolId, publication))).toMatchObject({
      status: 400,
      detail: "A test failed.",
    });
    end = [["progress", { state: "building", message: "…" }]];
    expect((await failure(client.versions.publish(toolId, publication))).detail).toContain(
      "ended before the result came",
    );
  });

  it("invokes with and without status events, and says which version ran", async () => {
    const body = { invocation_results: [{ succeeded: true, output: "hi", duration_ms: 1 }] };
    const { client, asked } = await open(({ headers }, response) => {
      response.setHeader("x-tool-version", "1.2.3");
      if (!headers.accept?.includes("event-stream")) return sendJson(response, 200, body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        events([
          ["status", { input_index: 1, event: { step: 1 } }],
          ["status", { input_index: 0, event: "plain" }],
          ["result", body],
        ]),
      );
    });
    const target = { toolId, version: ">=1,<2" };
    const plain = await client.versions.invoke(target, [], { idempotencyKey: "once" });
    expect(plain).toEqual({ body, version: "1.2.3" });
    expect(asked[0]?.headers["idempotency-key"]).toBe("once");
    const told: unknown[] = [];
    const onStatus = (status: unknown): void => void told.push(status);
    expect(await client.versions.invoke(target, [], { onStatus })).toEqual(plain);
    expect(told).toEqual([
      { index: 1, event: { step: 1 } },
      { index: 0, event: "plain" },
    ]);
  });

  it("looks into the repository", async () => {
    const { client, asked, url } = await open((_, response) => sendJson(response, 200, {}));
    await client.repository.branches({ limit: 3 });
    await client.repository.commits({ ref: "main", path: "a/b" });
    await client.repository.tree();
    await client.repository.file({ path: "a b" });
    await client.repository.diff({ from: "x", to: "y" });
    expect(asked.map((one) => one.url.replace(`/v1/${organization}/tool/repository/`, ""))).toEqual(
      [
        "branches?limit=3",
        "commits?ref=main&path=a%2Fb",
        "tree",
        "file?path=a+b",
        "diff?from=x&to=y",
      ],
    );
    expect(await client.repository.remote()).toBe(`${url}/v1/${organization}/tool/git`);
  });

  it("downloads bytes as they are", async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const { client } = await open((_, response) => {
      response.setHeader("content-disposition", 'attachment; filename="a.tar.gz"');
      response.writeHead(200, { "content-type": "application/gzip" }).end(bytes);
    });
    const downloaded = await client.download("/v1/{organization}/x");
    expect(Buffer.from(downloaded.bytes)).toEqual(bytes);
    expect(downloaded.fileName).toBe("a.tar.gz");
  });
});

describe("what the platform's client says when something is wrong", () => {
  it("says how to start a server where none answers", async () => {
    const client = createPlatformClient({ url: "http://127.0.0.1:2", apiKey: "k", organization });
    expect(await failure(client.tools.list())).toMatchObject({
      status: 0,
      detail: "Nothing answers at http://127.0.0.1:2. Start the platform with: haft serve",
    });
    const nowhere = createPlatformClient({ url: "http://no.invalid", apiKey: "k", organization });
    expect((await failure(nowhere.tools.list())).detail).toContain("http://no.invalid can't be");
  });

  it("names each field that is wrong", async () => {
    const fields = [
      { loc: ["body", "name"], msg: "must not be empty", type: "value_error" },
      { loc: ["body", "tags", 0], msg: "must be text", type: "type_error" },
    ];
    const { client } = await open((_, response) => sendJson(response, 422, { detail: fields }));
    const tool = { name: "", description: "", tags: {} };
    expect(await failure(client.tools.create(tool))).toMatchObject({
      status: 422,
      detail: "body.name: must not be empty; body.tags.0: must be text",
      fields,
    });
  });

  it("says what to look at when the key is refused", async () => {
    const { client } = await open((_, response) =>
      sendJson(response, 401, { detail: "The key is not known." }),
    );
    expect((await failure(client.keys.list())).detail).toMatch(/^The key is not known\. Check/u);
  });

  it("waits once when it asks too often, but never repeats a change by itself", async () => {
    const { client, asked } = await open(({ url }, response) => {
      response.setHeader("retry-after", url.includes("invocation") ? "3600" : "0");
      if (asked.length === 1) sendJson(response, 429, { detail: "Too many requests." });
      else if (asked.length === 2) sendJson(response, 200, { roles: [] });
      else sendJson(response, 429, { detail: "Too many requests." });
    });
    expect(await client.roles.list()).toEqual({ roles: [] });
    expect(asked.length).toBe(2);
    const refused = await failure(client.roles.create({ name: "r", permissions: [] }));
    expect([refused.status, refused.retryAfterSeconds, asked.length]).toEqual([429, 0, 3]);
    await failure(client.roles.list());
    expect(asked.length).toBe(5);
    expect((await failure(client.history.list())).detail).toContain("Try again in 3600 s.");
    expect(asked.length).toBe(6);
  });

  it("stays clear about what is not a platform at all", async () => {
    const { client, url } = await open((asked, response) => {
      response.writeHead(asked.method === "GET" ? 200 : 502).end("<html>");
    });
    expect((await failure(client.tools.list())).detail).toContain("did not answer with JSON");
    const tool = { name: "a", description: "b", tags: {} };
    expect((await failure(client.tools.create(tool))).detail).toBe(
      `${url} answered 502 Bad Gateway`,
    );
  });

  it("stops when it is told to, and says that and nothing else", async () => {
    const controller = new AbortController();
    const { client } = await open(() => controller.abort());
    await expect(client.history.list({}, controller.signal)).rejects.toThrow(/abort/iu);
  });

  it.each([
    ["nonsense", "key", "is not the address"],
    ["ftp://a.example", "key", "is not the address"],
    ["http://user:pass@a.example", "key", "a user or password"],
    ["http://a.example", "ké y", "invalid characters"],
    ["http://a.example", "", "is empty"],
  ])("refuses %s with %j before anything is sent", (url, apiKey, why) => {
    expect(() => createPlatformClient({ url, apiKey })).toThrow(why);
  });
});
