// Proves each dialect on a real workspace: what its models send, and what they get back.
import { readFileSync } from "node:fs";
import { MockTool } from "@haft/contract/testing";
import { claude, codex, type Dialect, gemini } from "@haft/core";
import { bash } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { claudeRows } from "./claude-rows.ts";
import { claudeSearchRows } from "./claude-search-rows.ts";
import { codexRows } from "./codex-rows.ts";
import { geminiRows } from "./gemini-rows.ts";
import { openDialect } from "./open-dialect.ts";
import type { Row } from "./row.ts";

const all: readonly [string, Dialect, readonly Row[]][] = [
  ["claude", claude, [...claudeRows, ...claudeSearchRows]],
  ["codex", codex, codexRows],
  ["gemini", gemini, geminiRows],
];

describe.each(all)("the dialect %s", (_, dialect, rows) => {
  it.each(rows)("$says", ({ holds }) => holds(openDialect(dialect)));

  it("shows tools from elsewhere beside its own", () => {
    const foreign = ["mcp__server__tool", "tb__tool"].map((name) => new MockTool({ name }));
    const { session } = openDialect(dialect, foreign);
    const shown = session.tools().map(({ name }) => name);
    expect(shown).toEqual(expect.arrayContaining(["mcp__server__tool", "tb__tool"]));
    expect(new Set(shown).size).toBe(shown.length);
  });

  it("understands the native names that it does not show", async () => {
    const { call, put } = openDialect(dialect);
    const path = put("a.txt", "x\n");
    expect(await call("read", { path })).toMatchObject({ data: { content: "1: x" } });
  });

  it("searches for tools, and reports them as text", async () => {
    const foreign = Array.from({ length: 600 }, (_, at) => {
      const description = at === 7 ? "Tells the weather." : "Does something.";
      return new MockTool({ name: `mcp__s__t${at}`, description, source: "mcp" });
    });
    const { session, text } = openDialect(dialect, foreign);
    const name = dialect === claude ? "ToolSearch" : "tool_search";
    expect(session.tools().some((tool) => tool.source === "mcp")).toBe(false);
    expect(await text(name, { query: "weather" })).toBe(
      "mcp__s__t7: Tells the weather.\nThese can be called from the next step on.",
    );
    session.startStep();
    expect(session.tools().map((tool) => tool.name)).toContain("mcp__s__t7");
  });

  it("cuts what is longer than a model should get, and keeps the whole", async () => {
    const { call } = openDialect(dialect, [long]);
    const { metadata, ...result } = await call("read_long", {});
    const text = "data" in result ? String(result.data) : "";
    expect(text).toMatch(/^x+\n\[… 137856 characters left out here; .* …\]\nx+$/u);
    expect(metadata.truncated).toBe(true);
    expect(readFileSync(metadata.output_path ?? "", "utf8")).toBe("x".repeat(400_000));
  });
});

describe.each([
  ["claude", claude, "run_in_background"],
  ["gemini", gemini, "is_background"],
])("the dialect %s without jobs", (_, dialect, background) => {
  it("reports that background commands are unavailable", async () => {
    const { session } = openDialect(dialect, [], [bash]);
    const [shown] = session.tools();
    const args = { command: "sleep 60", [background]: true };
    expect(await session.call({ name: shown?.name ?? "", arguments: args })).toMatchObject({
      error_text: expect.stringContaining("can't run commands in the background"),
    });
  });
});

const long = new MockTool({ name: "read_long", output: "x".repeat(400_000) });
