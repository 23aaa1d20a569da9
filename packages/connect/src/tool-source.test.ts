import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { createRegistry } from "@haft/core";
import { describe, expect, it } from "vitest";
import { addToolSource } from "./tool-source.ts";

function setUp(...names: string[]) {
  let tools: readonly Tool[] = names.map((name) => new MockTool({ name }));
  let listener = (): void => {};
  const warnings: string[] = [];
  const registry = createRegistry([new MockTool({ name: "read", source: "builtin" })]);
  const stop = addToolSource(
    registry,
    {
      name: "shop",
      tools: () => tools,
      onChange: (told) => {
        listener = told;
        return () => {
          listener = () => {};
        };
      },
      close: async () => {},
    },
    (message) => warnings.push(message),
  );
  return {
    warnings,
    stop,
    ids: () => registry.tools().map(({ id }) => id),
    change: (change: (tools: readonly Tool[]) => readonly Tool[]) => {
      tools = change(tools);
      listener();
    },
  };
}

describe("addToolSource", () => {
  it("adds the tools of the source", () => {
    expect(setUp("a", "b").ids()).toEqual(["read", "a", "b"]);
  });

  it("leaves out a tool whose name is taken, and warns only once", () => {
    const { ids, change, warnings } = setUp("read", "a");
    change((tools) => tools);
    expect(ids()).toEqual(["read", "a"]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("shop: read is left out. Two tools have the id read");
  });

  it("adds and removes tools when the source changes", () => {
    const { ids, change } = setUp("a", "b");
    change(([, second]) => [second as Tool, new MockTool({ name: "c" })]);
    expect(ids()).toEqual(["read", "b", "c"]);
  });

  it("removes all tools on cleanup", async () => {
    const { ids, change, stop } = setUp("a");
    await stop();
    change((tools) => [...tools, new MockTool({ name: "late" })]);
    expect(ids()).toEqual(["read"]);
  });
});
