import { createMemoryComputer } from "@haft/computer/memory";
import type { CatalogEntry, ToolCatalog } from "@haft/contract";
import { createTestRuntime, describeToolContract, MockTool } from "@haft/contract/testing";
import { createRegistry, createScriptedHost, createSession } from "@haft/core";
import { describe, expect, it } from "vitest";
import { toolIndexOf } from "./tool-index.ts";
import { toolSearch } from "./tool-search.ts";

const descriptions: Readonly<Record<string, string>> = {
  mcp__github__create_issue: "Opens a new issue in a repository.",
  mcp__github__list_issues: "Lists the issues of a repository.",
  mcp__github__mergePullRequest: "Merges a pull request.",
  mcp__slack__send_message: "Posts a message to a channel.",
  mcp__slack__list_channels: "Gives all channels of the workspace.",
  tb__weather: "Tells the weather of a place. Says also whether an umbrella is an issue.",
  tb__deploy: "Brings the present branch to production.",
};

const entries: readonly CatalogEntry[] = Object.entries(descriptions).map(
  ([name, description]) => ({ name, description, shown: name === "tb__deploy" }),
);

interface Searched {
  readonly names: readonly string[];
  readonly message: string;
  readonly shown: readonly (readonly string[])[];
}

async function search(query: string, limit?: number, list = entries): Promise<Searched> {
  const shown: (readonly string[])[] = [];
  const tools: ToolCatalog = { list: () => list, show: (names) => shown.push(names) };
  const args = limit === undefined ? { query } : { query, limit };
  const { matches, message } = await toolSearch.execute(args, createTestRuntime({ tools }));
  return { names: matches.map(({ name }) => name), message, shown };
}

async function first(query: string): Promise<string | undefined> {
  return (await search(query)).names[0];
}

describe("tool_search", () => {
  it("finds by words of names and descriptions, and shows the results to the model", async () => {
    const { names, message, shown } = await search("send something to a slack channel");
    expect(names[0]).toBe("mcp__slack__send_message");
    expect(names).toContain("mcp__slack__list_channels");
    expect(shown).toEqual([names]);
    expect(message).toBe("These can be called from the next step on.");
  });

  it.each([
    ["umbrella", "tb__weather"],
    ["production", "tb__deploy"],
    ["open an issue", "mcp__github__create_issue"],
    ["merge", "mcp__github__mergePullRequest"],
    ["PULL REQUESTS", "mcp__github__mergePullRequest"],
  ])("finds by %s", async (query, name) => {
    expect(await first(query)).toBe(name);
  });

  it("puts a word of the name before one of the description", async () => {
    const { names } = await search("issue");
    expect(names.at(-1)).toBe("tb__weather");
    expect(names).toHaveLength(3);
  });

  it.each([
    ["mcp__github__list_issues", "mcp__github__list_issues"],
    ["MCP__GitHub__List_Issues", "mcp__github__list_issues"],
    [" list_channels ", "mcp__slack__list_channels"],
    ["mergepullrequest", "mcp__github__mergePullRequest"],
  ])("puts the tool first that is called %s", async (query, name) => {
    expect(await first(query)).toBe(name);
  });

  it.each([
    ["wether", "tb__weather"],
    ["mesage", "mcp__slack__send_message"],
    ["depl", "tb__deploy"],
    ["githb isues", "mcp__github__list_issues"],
  ])("accepts %s as a typo or a prefix", async (query, name) => {
    expect(await first(query)).toBe(name);
  });

  it("prefers exact words over similar ones", async () => {
    const twins = ["tb__cat", "tb__car"].map((name) => ({ name, description: "", shown: false }));
    expect((await search("car", undefined, twins)).names).toEqual(["tb__car"]);
  });

  it("takes the tools of just the names after select:", async () => {
    const query = "select:tb__weather, MCP__slack__send_message,nothing,tb__weather";
    const { names, message, shown } = await search(query);
    expect(names).toEqual(["tb__weather", "mcp__slack__send_message"]);
    expect(shown).toEqual([names]);
    expect(message).toBe(
      "These can be called from the next step on. There is no tool named nothing.",
    );
  });

  it("says what to try where nothing fits, and shows nothing", async () => {
    for (const query of ["xylophone", "the of and", "?!", "select:", "日本"]) {
      const { names, message, shown } = await search(query);
      expect(names).toEqual([]);
      expect(shown.flat()).toEqual([]);
      expect(message).toMatch(/^None of 7 tools matches\. .*Try other words/u);
    }
  });

  it("says which are shown already, and that there may be nothing to search", async () => {
    expect((await search("deploy")).message).toBe("All of these are already shown.");
    expect((await search("branch weather")).message).toBe(
      "Those not shown yet can be called from the next step on.",
    );
    expect((await search("x", undefined, [])).message).toBe(
      "There are no other tools than those shown.",
    );
  });

  it("gives ten at most, and no more than it is told to", async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      name: `mcp__many__thing_${at}`,
      description: "Does a thing.",
      shown: false,
    }));
    const { names } = await search("thing", undefined, many);
    // All fit alike, so they come as they are listed.
    expect(names).toEqual(many.slice(0, 10).map(({ name }) => name));
    expect((await search("thing", 3, many)).names).toEqual(names.slice(0, 3));
    expect((await search("thing_7", undefined, many)).names[0]).toBe("mcp__many__thing_7");
  });

  it("shortens long descriptions without cutting a character in two", async () => {
    const list = [
      { name: "tb__long", description: "x".repeat(998) + "😀".repeat(9), shown: false },
    ];
    const tools: ToolCatalog = { list: () => list, show: () => {} };
    const { matches } = await toolSearch.execute({ query: "long" }, createTestRuntime({ tools }));
    expect(matches[0]?.description).toBe(`${"x".repeat(998)}…`);
  });

  it("indexes a list once", () => {
    expect(toolIndexOf(entries)).toBe(toolIndexOf(entries));
    expect(toolIndexOf([...entries])).not.toBe(toolIndexOf(entries));
  });

  it("leaves out words that are in most tools where rarer ones are given", async () => {
    const common = "returns a list of records with an owner and a state";
    const many = Array.from({ length: 2_000 }, (_, at) => ({
      name: `mcp__s${at % 10}__job${at}`,
      description: at === 1_234 ? `${common}, and whistles` : common,
      shown: false,
    }));
    const { names } = await search("records with owner and state that whistle", undefined, many);
    expect(names[0]).toBe("mcp__s4__job1234");
  });

  it("conflicts with no other call, and searches nothing when it is already aborted", async () => {
    expect(toolSearch.execution?.resourceKeys?.({ query: "x" })).toEqual([]);
    const runtime = createTestRuntime({ signal: AbortSignal.abort() });
    await expect(toolSearch.execute({ query: "x" }, runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});

describe("tool_search in a session", () => {
  it("shows what it finds in the next turn, without approval", async () => {
    const foreign = entries.map(
      ({ name, description }) => new MockTool({ name, description, source: "mcp" }),
    );
    const host = createScriptedHost();
    const session = createSession({
      registry: createRegistry([toolSearch, ...foreign]),
      computer: createMemoryComputer(),
      host,
      maxDefinitionTokens: 200,
    });
    const names = (): string[] => session.tools().map(({ name }) => name);
    expect(names()).toEqual(["tool_search"]);
    let changes = 0;
    session.on("tools:changed", () => changes++);
    const result = await session.call({ name: "tool_search", arguments: { query: "weather" } });
    expect(result).toMatchObject({ data: { matches: [{ name: "tb__weather", shown: false }] } });
    expect([names(), changes, host.asked]).toEqual([["tool_search"], 1, []]);
    session.startStep();
    expect(names()).toEqual(["tool_search", "tb__weather"]);
    const again = await session.call({ name: "tool_search", arguments: { query: "weather" } });
    expect(again).toMatchObject({ data: { matches: [{ shown: true }] } });
    expect(changes).toBe(1);
  });
});

const catalog = { list: () => entries, show: () => {} };

describeToolContract(toolSearch, [
  {
    name: "words",
    arguments: { query: "weather", limit: 1 },
    runtime: () => createTestRuntime({ tools: catalog }),
    expect: { data: { matches: [{ name: "tb__weather", shown: false }] } },
  },
  { name: "no tools", arguments: { query: "weather" }, expect: { data: { matches: [] } } },
  { name: "no query", arguments: { query: "" }, expect: { error: "invalid-arguments" } },
  {
    name: "too many",
    arguments: { query: "weather", limit: 11 },
    expect: { error: "invalid-arguments" },
  },
]);
