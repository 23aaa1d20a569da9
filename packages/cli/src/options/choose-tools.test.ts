import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolResult } from "@haft/contract";
import { searchVariables } from "@haft/tools/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Io } from "../io.ts";
import { createTestWorkspace } from "../test-support/run-haft.ts";
import { chooseTools, findToolSecrets } from "./choose-tools.ts";

/** Starts a search server on this machine. */
async function serveSearch(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json");
    const results = [{ title: "Haft", url: "https://haft.example/", content: "A handle." }];
    response.end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe("web_search", () => {
  it("asks the provider that the environment names, even one on this machine", async () => {
    const { url, asked } = await serveSearch();
    const { haft } = createTestWorkspace();
    const environment = { SEARXNG_URL: url };
    const ran = await haft(["call", "web_search", "query=handle", "--json"], { environment });
    expect(ran.json<ToolResult>()).toMatchObject({
      type: "output",
      data: { results: [{ title: "Haft", url: "https://haft.example/", snippet: "A handle." }] },
    });
    expect(asked).toEqual([expect.stringContaining("q=handle")]);
  });

  it("keeps to the number of searches and the time limit that are set (003:86)", async () => {
    const { url, asked } = await serveSearch();
    const { haft } = createTestWorkspace();
    const search = (limits: Record<string, string>) =>
      haft(["call", "web_search", "query=handle", "--json"], {
        environment: { SEARXNG_URL: url, ...limits },
      });
    const one = { HAFT_SEARCH_CALLS: "1", HAFT_SEARCH_TIMEOUT: "60" };
    expect((await search(one)).json<ToolResult>()).toMatchObject({ type: "output" });
    expect((await search(one)).json<ToolResult>()).toMatchObject({
      error_text: expect.stringContaining("all of its 1 searches"),
      metadata: { error_code: "quota" },
    });
    expect(asked).toHaveLength(1);
    const tools = chooseTools({ environment: { SEARXNG_URL: url, ...one } } as unknown as Io);
    expect(tools.find(({ id }) => id === "web_search")?.timeoutMs).toBe(120_000);
    for (const name of ["HAFT_SEARCH_CALLS", "HAFT_SEARCH_TIMEOUT"]) {
      const { exitCode, stderr } = await search({ [name]: "many" });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(`${name} is "many".`),
      });
    }
  });

  it("opens that address for no other tool", async () => {
    const { url, asked } = await serveSearch();
    const { haft } = createTestWorkspace();
    const environment = { SEARXNG_URL: url };
    const ran = await haft(["call", "web_fetch", `url=${url}/`, "--json"], { environment });
    expect(ran.json<ToolResult>()).toMatchObject({ metadata: { error_code: "out-of-scope" } });
    expect(asked).toEqual([]);
  });

  it("says what to set if no provider is configured", async () => {
    const { haft } = createTestWorkspace();
    const { stderr } = await haft(["call", "web_search", "query=x"]);
    expect(stderr).toContain("SEARXNG_URL");
  });

  it("lists every variable of a provider in the help", async () => {
    const { stdout } = await createTestWorkspace().haft(["--help"]);
    for (const { name } of searchVariables) expect(stdout).toContain(name);
  });

  it("masks every key of a provider, and no address", () => {
    const environment = Object.fromEntries(searchVariables.map(({ name }) => [name, `of ${name}`]));
    const keys = searchVariables.filter(({ holds }) => holds === "key").map(({ name }) => name);
    const io = { environment } as unknown as Parameters<typeof findToolSecrets>[0];
    expect(Object.keys(findToolSecrets(io))).toEqual(keys);
    expect(keys).toContain("TAVILY_API_KEY");
  });

  it("refuses to start with an unknown provider", async () => {
    const environment = { HAFT_SEARCH_PROVIDER: "altavista" };
    const { exitCode, stderr } = await createTestWorkspace().haft(["tools"], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("altavista");
  });
});
