import type { ToolSource } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { type Mode, modeAllows } from "./mode.ts";

function allows(mode: Mode, source: ToolSource, subagentTypes?: readonly string[]): boolean {
  const tool = new MockTool({ name: "tool", source, ...(subagentTypes && { subagentTypes }) });
  return modeAllows(mode, tool, mode.includeTools && new Set(mode.includeTools));
}

describe("modeAllows", () => {
  it.each<[string, Mode, boolean]>([
    ["by default", {}, false],
    ["if it is off", { allowMcp: false, includeTools: ["tool"] }, false],
    ["if it is on", { allowMcp: true, includeTools: [] }, true],
  ])("allows MCP tools %s: %o", (_, mode, allowed) => {
    expect(allows(mode, "mcp")).toBe(allowed);
  });

  it.each<[string, Mode, readonly string[] | undefined, boolean]>([
    ["by default", {}, undefined, false],
    ["if it is off", { allowToolbox: false }, ["all"], false],
    ["that are for anybody", { allowToolbox: true }, undefined, true],
    ["in no subagent", { allowToolbox: true }, ["finder"], true],
    ["in any subagent", { allowToolbox: true, subagentType: "oracle" }, undefined, true],
    ["for all", { allowToolbox: true, subagentType: "oracle" }, ["all"], true],
    ["for this kind", { allowToolbox: true, subagentType: "oracle" }, ["finder", "oracle"], true],
    ["for another kind", { allowToolbox: true, subagentType: "oracle" }, ["finder"], false],
    ["for no kind", { allowToolbox: true, subagentType: "oracle" }, [], false],
    ["though not included", { allowToolbox: true, includeTools: [] }, undefined, true],
  ])("allows toolbox tools %s", (...row) => {
    const [, mode, subagentTypes, allowed] = row;
    expect(allows(mode, "toolbox", subagentTypes)).toBe(allowed);
  });

  it("leaves out what is excluded, whatever else is said", () => {
    const mode = { includeTools: ["tool"], excludeTools: ["tool"], allowMcp: true };
    for (const source of ["builtin", "mcp", "module"] as const) {
      expect(allows(mode, source)).toBe(false);
    }
    expect(allows({ excludeTools: ["other"] }, "builtin")).toBe(true);
  });

  it.each(["builtin", "module", "published"] as const)(
    "allows %s tools that are included",
    (source) => {
      expect(allows({ includeTools: ["tool"] }, source)).toBe(true);
      expect(allows({ includeTools: ["other"] }, source)).toBe(false);
      expect(allows({ includeTools: [] }, source)).toBe(false);
      expect(allows({}, source)).toBe(true);
    },
  );
});
