import type { RequestListener } from "node:http";
import { type Runtime, type Tool, ToolError } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { openWebRuntime, startWebServer } from "../test-support/open-web.ts";
import {
  readRequestBody,
  type SearchServer,
  searchKey,
  searchServers,
} from "../test-support/search-servers.ts";
import { createWebSearch } from "./create-web-search.ts";
import type { SearchProvider } from "./search-provider.ts";
import { createSearchProvider } from "./search-providers.ts";
import { webSearch } from "./web-search.ts";

const results = [
  { title: "One", url: "https://one.example/a", snippet: "The first." },
  { title: "Two", url: "https://two.example/b?c=d", snippet: "The second." },
  { title: "Three", url: "https://three.example/", snippet: "The third." },
];

/** Creates a tool on a provider's server, and the runtime of its calls. */
async function openSearch(
  server: SearchServer,
  listener: RequestListener,
  timeoutMs?: number,
): Promise<{ tool: Tool; runtime: Runtime }> {
  const { origin, port } = await startWebServer(listener);
  const providers = [server.create(origin)];
  const tool = createWebSearch({ providers, ...(timeoutMs !== undefined && { timeoutMs }) });
  return { tool: tool as Tool, runtime: openWebRuntime(tool, [`127.0.0.1:${port}`]) };
}

describe.each(searchServers.map((server) => [server.name, server] as const))(
  "%s",
  (name, server) => {
    it("returns what its server finds", async () => {
      const asked: unknown[] = [];
      const { tool, runtime } = await openSearch(server, async (request, response) => {
        const body = await readRequestBody(request);
        const refused = server.refuse(request, body);
        if (refused !== undefined) response.writeHead(refused).end();
        else {
          asked.push(server.read(request, body));
          response.setHeader("Content-Type", "application/json");
          response.end(JSON.stringify(server.answer(results)));
        }
      });
      const query = 'c++ "a&b" gr\u00fcn';
      expect(await tool.execute({ query, max_results: 3 }, runtime)).toEqual({ results });
      expect(asked).toEqual([{ query, count: 3 }]);
      expect(await tool.execute({ query, max_results: 2 }, runtime)).toEqual({
        results: results.slice(0, 2),
      });
    });

    it("returns an empty list if nothing is found", async () => {
      const { tool, runtime } = await openSearch(server, (_, response) => {
        response.end(JSON.stringify(server.answer([])));
      });
      expect(await tool.execute({ query: "x" }, runtime)).toEqual({ results: [] });
    });

    it.each([
      [401, "refused"],
      [403, "refused"],
      [429, "accepts no more searches"],
      [500, "could not search"],
      [503, "could not search"],
      [404, "could not search"],
    ])("is unavailable with status %i, and does not show its key", async (status, words) => {
      const { tool, runtime } = await openSearch(server, ({ headers }, response) => {
        response.writeHead(status).end(JSON.stringify({ error: headers }));
      });
      const error = await tool.execute({ query: "x" }, runtime).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(new RegExp(`^${name} .*${words}`, "u")),
      });
      expect(JSON.stringify([String(error), error])).not.toContain(searchKey);
    });

    it.each(["", "<html>", "null", "[]", '"x"', '{"web":{"results":5},"results":5}', "{"])(
      "is unavailable when it answers %j",
      async (body) => {
        const { tool, runtime } = await openSearch(server, (_, response) => response.end(body));
        await expect(tool.execute({ query: "x" }, runtime)).rejects.toMatchObject({
          code: "unavailable",
          message: expect.stringContaining(name),
        });
      },
    );

    it("leaves out entries that are not results", async () => {
      const junk = [{ title: "x", url: "javascript:1", snippet: "" }, ...results];
      const { tool, runtime } = await openSearch(server, (_, response) => {
        const answer = JSON.stringify(server.answer(junk as typeof results));
        response.end(answer.replace("[{", '[null,5,"x",{},[],{'));
      });
      expect(await tool.execute({ query: "x" }, runtime)).toEqual({ results });
    });

    it("does not send its key to other hosts", async () => {
      const seen: string[] = [];
      const other = await startWebServer((request, response) => {
        seen.push(JSON.stringify(request.headers));
        response.end("{}");
      });
      const { origin, port } = await startWebServer((_, response) => {
        response.writeHead(307, { Location: `http://localhost:${other.port}/` }).end();
      });
      const tool = createWebSearch({ providers: [server.create(origin)] });
      const open = { requires: { net: { hosts: ["*"] } } };
      const runtime = openWebRuntime(open, [`127.0.0.1:${port}`, `localhost:${other.port}`]);
      await tool.execute({ query: "x" }, runtime);
      expect(seen).toHaveLength(1);
      expect(seen[0]).not.toContain(searchKey);
      // With the tool's own grant it does not even get there.
      const narrow = openWebRuntime(tool, [`127.0.0.1:${port}`, `localhost:${other.port}`]);
      await expect(tool.execute({ query: "x" }, narrow)).rejects.toMatchObject({
        code: "out-of-scope",
      });
      expect(seen).toHaveLength(1);
    });

    it("stops a search that takes too long", async () => {
      const { tool, runtime } = await openSearch(server, (_, response) => response.write("{"), 150);
      await expect(tool.execute({ query: "x" }, runtime)).rejects.toMatchObject({
        code: "timeout",
      });
    });
  },
);

/** A provider whose only result names it. */
const naming = (name: string): SearchProvider => ({
  name,
  hosts: [`${name}.example`],
  search: async () => [{ title: name, url: `https://${name}.example/`, snippet: "" }],
});

describe("web_search", () => {
  it("needs the hosts of its providers, and no others", () => {
    const tool = createWebSearch({ providers: [naming("a"), naming("b"), naming("a")] });
    expect(tool.requires).toEqual({ net: { hosts: ["a.example", "b.example"] } });
    expect(tool.execution?.resourceKeys?.({ query: "x" })).toEqual([
      { type: "host", key: "a.example", mode: "read" },
      { type: "host", key: "b.example", mode: "read" },
    ]);
    expect(createSearchProvider("brave", { key: "k" }).hosts).toEqual(["api.search.brave.com"]);
  });

  it("uses one provider per session, and all of them across sessions", async () => {
    const tool = createWebSearch({ providers: ["a", "b", "c"].map(naming) });
    const serving = async (id: string): Promise<string | undefined> => {
      const { session } = createTestRuntime();
      const runtime = createTestRuntime({ session: { ...session, id } });
      return (await tool.execute({ query: "x" }, runtime)).results[0]?.title;
    };
    const ids = Array.from({ length: 40 }, (_, number) => `session-${number}`);
    const first = await Promise.all(ids.map(serving));
    expect(await Promise.all(ids.map(serving))).toEqual(first);
    expect(new Set(first)).toEqual(new Set(["a", "b", "c"]));
  });

  it("allows 25 searches per session, even in parallel", async () => {
    const tool = createWebSearch({ providers: [naming("a")] });
    const runtime = createTestRuntime();
    const calls = Array.from({ length: 30 }, () => tool.execute({ query: "x" }, runtime));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(25);
    const failed = ended.filter((end) => end.status === "rejected");
    expect(failed.map(({ reason }) => reason.code)).toEqual(Array(5).fill("quota"));
    await expect(tool.execute({ query: "x" }, createTestRuntime())).resolves.toBeDefined();
  });

  it("continues the count of another process", async () => {
    const make = (): Tool =>
      createWebSearch({ providers: [naming("a")], callsPerSession: 2 }) as Tool;
    // The state of a session is the same on disk; another object stands for another process.
    const { state } = createTestRuntime().session;
    const open = (): Runtime =>
      createTestRuntime({
        session: {
          id: "s",
          roots: [],
          state: { get: (key) => state.get(key), set: (key, value) => state.set(key, value) },
        },
      });
    await make().execute({ query: "x" }, open());
    await make().execute({ query: "x" }, open());
    await expect(make().execute({ query: "x" }, open())).rejects.toMatchObject({ code: "quota" });
  });

  it("counts failed searches too, and treats a damaged count as zero", async () => {
    const failing: SearchProvider = {
      ...naming("a"),
      search: async () => {
        throw new ToolError("unavailable", "Down.");
      },
    };
    const tool = createWebSearch({ providers: [failing], callsPerSession: 1 });
    const runtime = createTestRuntime();
    await runtime.session.state.set("web_search.calls", "junk");
    await expect(tool.execute({ query: "x" }, runtime)).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(tool.execute({ query: "x" }, runtime)).rejects.toMatchObject({ code: "quota" });
  });

  it("explains how to configure a provider if there is none", async () => {
    await expect(webSearch.execute({ query: "x" }, createTestRuntime())).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(
        /BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY or SEARXNG_URL.*HAFT_SEARCH_PROVIDER/u,
      ),
    });
  });
});

describeToolContract(createWebSearch({ providers: [naming("a")] }), [
  {
    name: "a search",
    arguments: { query: "words" },
    expect: { data: { results: [{ title: "a", url: "https://a.example/", snippet: "" }] } },
  },
  { name: "few results", arguments: { query: "words", max_results: 1 } },
  { name: "no query", arguments: { query: "" }, expect: { error: "invalid-arguments" } },
  {
    name: "too many results",
    arguments: { query: "x", max_results: 21 },
    expect: { error: "invalid-arguments" },
  },
]);

describeToolContract(webSearch, [
  { name: "not set up", arguments: { query: "x" }, expect: { error: "unavailable" } },
]);
