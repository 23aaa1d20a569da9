// A person with ten servers and 741 tools: what a request costs, and whether tools are found.
import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { createRegistry, createSession } from "@haft/core";
import { tokensOfDefinition } from "@haft/core/internal";
import { toolSearch } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { allTools } from "../dialects/all-tools.ts";
import { listSearches, listTools } from "./catalogue.ts";

const tools = listTools();
const foreign = tools.map(
  ({ name, description, parameters }) =>
    new MockTool({ name, description, parameters, source: "mcp" }),
);

// Without a model there are no agents by name, and `code_output` belongs to the dialect `codex`.
const notOffered: ReadonlySet<string> = new Set([
  "finder",
  "oracle",
  "librarian",
  "kraken",
  "plan_exit",
  "code_output",
]);

function open(own: readonly Tool[]) {
  return createSession({
    registry: createRegistry([...own, ...foreign]),
    computer: createMemoryComputer(),
  });
}

describe("741 tools of ten servers", () => {
  it("cost at most 5,000 tokens in the first request", () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(741);
    const session = open(allTools.filter(({ id }) => !notOffered.has(id)));
    expect(sum(session.tools("all"))).toBeGreaterThan(50_000);
    const shown = session.tools();
    expect(shown.map(({ name }) => name)).toContain("tool_search");
    expect(sum(shown)).toBeLessThanOrEqual(5_000);
  });

  it("are among the first five that a search finds", async () => {
    const session = open([toolSearch]);
    const missed: string[] = [];
    const searches = listSearches(200);
    for (const { query, name } of searches) {
      expect(query).not.toContain(name.split("__")[2]);
      const result = await session.call({
        name: "tool_search",
        arguments: { query, limit: 5 },
      });
      const { matches } = (result as { data: { matches: { name: string }[] } }).data;
      if (!matches.some((match) => match.name === name)) missed.push(`${query} → ${name}`);
    }
    expect(missed.length / searches.length, missed.join("\n")).toBeLessThanOrEqual(0.05);
    await session.close();
  });
});

function sum(shown: readonly Parameters<typeof tokensOfDefinition>[0][]): number {
  return shown.reduce((tokens, tool) => tokens + tokensOfDefinition(tool), 0);
}
