import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createDeferredTools, type DeferredTools } from "./deferred-tools.ts";

const read = new MockTool({ name: "read", source: "builtin" });
const search = new MockTool({ name: "tool_search", source: "builtin" });

function makeForeign(count: number): Tool[] {
  return Array.from({ length: count }, (_, at) => new MockTool({ name: `mcp__s__t${at}` }));
}

// What the definition of a tool takes.
const tokens = 100;

function open(initial: readonly Tool[], maxTokens?: number, used: readonly string[] = []) {
  let snapshot = toSnapshot(initial);
  let changes = 0;
  const deferredTools = createDeferredTools(() => snapshot, {
    maxTokens,
    measure: (tools) => tools.length * tokens,
    listUsed: () => used,
    changed: () => changes++,
  });
  return {
    deferredTools,
    changes: () => changes,
    shown: () => [...snapshot.values()].filter(deferredTools.isShown).map(({ id }) => id),
    replace: (tools: readonly Tool[]) => {
      snapshot = toSnapshot(tools);
      deferredTools.start();
    },
  };
}

function toSnapshot(tools: readonly Tool[]): Map<string, Tool> {
  return new Map(tools.map((tool) => [tool.id, tool]));
}

function listed({ catalog }: DeferredTools): [name: string, shown: boolean][] {
  return catalog.list().map(({ name, shown }) => [name, shown]);
}

describe("createDeferredTools", () => {
  it("shows all where they fit", () => {
    const foreign = makeForeign(78);
    const { deferredTools, shown } = open([read, search, ...foreign]);
    expect(shown()).toHaveLength(80);
    expect(listed(deferredTools)).toEqual(foreign.map(({ id }) => [id, true]));
  });

  it("keeps them all back where they don't fit, and never a built-in one", () => {
    const { deferredTools, shown } = open([read, search, ...makeForeign(79)]);
    expect(shown()).toEqual(["read", "tool_search"]);
    expect(listed(deferredTools).every(([, isShown]) => !isShown)).toBe(true);
    expect(listed(deferredTools)).toHaveLength(79);
  });

  it("keeps none back where nothing could find them again", () => {
    expect(open([read, ...makeForeign(90)]).shown()).toHaveLength(91);
  });

  it("keeps to another number", () => {
    expect(open([search, ...makeForeign(1)], 0).shown()).toEqual(["tool_search"]);
    expect(open([search, ...makeForeign(100)], 10_100).shown()).toHaveLength(101);
  });

  it("shows those that were used before, the most used first, as far as they fit", () => {
    const used = ["mcp__s__t7", "gone", "read", "mcp__s__t2", "mcp__s__t3"];
    expect(open([read, search, ...makeForeign(9)], 4 * tokens, used).shown()).toEqual([
      "read",
      "tool_search",
      "mcp__s__t2",
      "mcp__s__t7",
    ]);
  });

  it("keeps what is shown when more tools come", () => {
    const foreign = makeForeign(9);
    const { shown, replace } = open([search, ...foreign.slice(0, 2)], 4 * tokens);
    const before = shown();
    expect(before).toHaveLength(3);
    replace([search, ...foreign]);
    expect(shown()).toEqual(before);
    replace([search, ...foreign.slice(0, 3)]);
    expect(shown()).toEqual([...before, "mcp__s__t2"]);
  });

  it("shows what was asked for from the next turn on, and on from there", () => {
    const { deferredTools, shown, changes } = open([search, ...makeForeign(3)], 3 * tokens);
    deferredTools.catalog.show(["mcp__s__t1"]);
    expect([shown(), changes()]).toEqual([["tool_search"], 1]);
    expect(listed(deferredTools)).toEqual([
      ["mcp__s__t0", false],
      ["mcp__s__t1", true],
      ["mcp__s__t2", false],
    ]);
    deferredTools.start();
    expect(shown()).toEqual(["tool_search", "mcp__s__t1"]);
    deferredTools.catalog.show(["mcp__s__t0"]);
    deferredTools.start();
    deferredTools.start();
    expect(shown()).toEqual(["tool_search", "mcp__s__t0", "mcp__s__t1"]);
  });

  it("reports no change if nothing changes", () => {
    const { deferredTools, changes } = open([search, ...makeForeign(3)], 3 * tokens);
    deferredTools.catalog.show([]);
    deferredTools.catalog.show(["nothing", "tool_search"]);
    expect(changes()).toBe(0);
    deferredTools.catalog.show(["mcp__s__t1", "mcp__s__t1"]);
    deferredTools.catalog.show(["mcp__s__t1"]);
    deferredTools.start();
    deferredTools.catalog.show(["mcp__s__t1"]);
    expect(changes()).toBe(1);
    const all = open([search, ...makeForeign(2)], 3 * tokens);
    all.deferredTools.catalog.show(["mcp__s__t1"]);
    expect(all.changes()).toBe(0);
  });

  it("gives the same list until a tool comes or goes", () => {
    const foreign = makeForeign(3);
    const { deferredTools, replace } = open([search, ...foreign], 3 * tokens);
    const list = deferredTools.catalog.list();
    deferredTools.catalog.show(["mcp__s__t1"]);
    deferredTools.start();
    replace([search, ...foreign]);
    expect(deferredTools.catalog.list()).toBe(list);
    replace([search, ...foreign.slice(1)]);
    expect(deferredTools.catalog.list()).not.toBe(list);
    expect(listed(deferredTools).map(([name]) => name)).toEqual(["mcp__s__t1", "mcp__s__t2"]);
  });

  it("shows all when they have become few, and remembers what was asked for", () => {
    const foreign = makeForeign(4);
    const { deferredTools, shown, replace } = open([search, ...foreign], 3 * tokens);
    deferredTools.catalog.show(["mcp__s__t3"]);
    replace([search, ...foreign.slice(0, 2)]);
    expect(shown()).toEqual(["tool_search", "mcp__s__t0", "mcp__s__t1"]);
    replace([search, ...foreign]);
    expect(shown()).toEqual(["tool_search", "mcp__s__t0", "mcp__s__t1", "mcp__s__t3"]);
  });
});
