import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolResult } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

/** A search engine of one's own, on this machine. */
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
  it("asks the provider that the environment names, also one on this machine", async () => {
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

  it("opens that place for no other tool", async () => {
    const { url, asked } = await serveSearch();
    const { haft } = createTestWorkspace();
    const environment = { SEARXNG_URL: url };
    const ran = await haft(["call", "web_fetch", `url=${url}/`, "--json"], { environment });
    expect(ran.json<ToolResult>()).toMatchObject({ metadata: { error_code: "out-of-scope" } });
    expect(asked).toEqual([]);
  });

  it("says what to set where nothing is set up", async () => {
    const { haft } = createTestWorkspace();
    const { stderr } = await haft(["call", "web_search", "query=x"]);
    expect(stderr).toContain("SEARXNG_URL");
  });

  it("refuses to start with a provider that there is not", async () => {
    const environment = { HAFT_SEARCH_PROVIDER: "altavista" };
    const { exitCode, stderr } = await createTestWorkspace().haft(["tools"], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("altavista");
  });
});
