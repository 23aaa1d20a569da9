import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Dialect, DialectAlias } from "../dialects/dialect.ts";
import { buildNameTable } from "./name-table.ts";

const read = new MockTool({ name: "read", aliases: [{ name: "read_file" }] });
const glob = new MockTool({ name: "glob" });

function tableOf(aliases: readonly DialectAlias[], tools: readonly Tool[] = [read, glob]) {
  const dialect: Dialect = { name: "test", aliases, native: "shown" };
  return buildNameTable(new Map(tools.map((tool) => [tool.id, tool])), dialect);
}

describe("buildNameTable", () => {
  it("knows ids, the tools' aliases and the dialect's", () => {
    const table = tableOf([{ name: "Read", tool: "read" }]);
    expect([...table.keys()].sort()).toEqual(["Read", "glob", "read", "read_file"]);
    expect(table.get("Read")?.[0]?.tool).toBe(read);
    expect(table.get("read_file")?.[0]?.tool).toBe(read);
  });

  it("puts the dialect's reading of a native name before the native one", () => {
    const alias = { name: "glob", tool: "glob" };
    expect(tableOf([alias]).get("glob")).toEqual([
      { tool: glob, alias },
      { tool: glob, alias: undefined },
    ]);
  });

  it("lets one name have several readings", () => {
    const table = tableOf([
      { name: "Find", tool: "read" },
      { name: "Find", tool: "glob" },
    ]);
    expect(table.get("Find")?.map(({ tool }) => tool.id)).toEqual(["read", "glob"]);
  });

  it("leaves out aliases of tools that are not there", () => {
    expect(tableOf([{ name: "Bash", tool: "bash" }]).has("Bash")).toBe(false);
  });

  it("refuses an alias that would hide another built-in tool", () => {
    const builtin = new MockTool({ name: "glob", source: "builtin" });
    expect(() => tableOf([{ name: "glob", tool: "read" }], [read, builtin])).toThrow(
      "Dialect test: alias glob of read shadows the tool glob",
    );
  });

  it("puts the dialect's name before a tool from elsewhere that has the same", () => {
    const table = tableOf([{ name: "glob", tool: "read" }]);
    expect(table.get("glob")?.map(({ tool }) => tool.id)).toEqual(["read", "glob"]);
  });
});
