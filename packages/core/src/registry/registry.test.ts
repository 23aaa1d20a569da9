import type { ToolAlias } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { portable } from "../dialects/portable.ts";
import { createRegistry } from "./registry.ts";

function named(name: string, ...aliases: string[]): MockTool {
  const named = aliases.map((alias): ToolAlias<unknown> => ({ name: alias }));
  return new MockTool({ name, aliases: named });
}

describe("createRegistry", () => {
  it("keeps tools in the order in which they were added", () => {
    const registry = createRegistry([named("b"), named("a")]);
    registry.add(named("c"));
    expect(registry.tools().map((tool) => tool.id)).toEqual(["b", "a", "c"]);
  });

  it.each([
    {
      what: "a second tool of the same id",
      present: [named("a")],
      tool: named("a"),
      message: "Two tools have the id a",
    },
    {
      what: "a tool without requires (003:205)",
      present: [],
      tool: Object.assign(named("a"), { requires: undefined }),
      message: "Tool a: requires is missing.",
    },
    {
      what: "a tool without execute (003:11)",
      present: [],
      tool: Object.assign(named("a"), { execute: undefined }),
      message: "Tool a has no function execute.",
    },
    {
      what: "an alias that is a tool's id",
      present: [named("a")],
      tool: named("b", "a"),
      message: "Alias a of b shadows the tool a",
    },
    {
      what: "an alias of another tool",
      present: [named("a", "x")],
      tool: named("b", "x"),
      message: "Alias x of b shadows an alias of a",
    },
    {
      what: "an id that is an alias",
      present: [named("a", "b")],
      tool: named("b"),
      message: "has the same name as an alias of a",
    },
    {
      what: "an alias given twice",
      present: [],
      tool: named("a", "x", "x"),
      message: "has the name x twice",
    },
    {
      what: "an alias that is its own id",
      present: [],
      tool: named("a", "a"),
      message: "has the name a twice",
    },
    {
      what: "an id no model provider takes",
      present: [],
      tool: named("a b"),
      message: "is not valid",
    },
  ])("refuses $what and adds nothing", ({ present, tool, message }) => {
    const registry = createRegistry(present);
    const before = registry.tools();
    expect(() => registry.add(tool)).toThrow(message);
    expect(registry.tools()).toEqual(before);
  });

  it("removes a tool with its aliases", () => {
    const registry = createRegistry([named("a")]);
    const remove = registry.add(named("b", "x"));
    remove();
    expect(registry.get("b")).toBeUndefined();
    expect(registry.tools().map((tool) => tool.id)).toEqual(["a"]);
    expect(registry.names(portable).has("x")).toBe(false);
    expect(() => registry.add(named("c", "x"))).not.toThrow();
  });

  it("does not remove the replacement of a removed tool", () => {
    const registry = createRegistry();
    const removeFirst = registry.add(named("a", "x"));
    removeFirst();
    registry.add(named("a", "x"));
    removeFirst();
    expect(registry.get("a")).toBeDefined();
    expect(registry.names(portable).has("x")).toBe(true);
  });

  it("builds the table of names once, until something changes", () => {
    const registry = createRegistry([named("a")]);
    const before = registry.names(portable);
    expect(registry.names(portable)).toBe(before);
    registry.add(named("b"));
    expect([...registry.names(portable).keys()]).toEqual(["a", "b"]);
  });

  it("hands out the same list until something changes", () => {
    const registry = createRegistry([named("a")]);
    const before = registry.tools();
    expect(registry.tools()).toBe(before);
    registry.add(named("b"));
    expect(registry.tools()).not.toBe(before);
  });
});
