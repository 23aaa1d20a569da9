import { describe, expect, it } from "vitest";
import type { PinnedTool } from "../store/mcp-server-entry.ts";
import type { ListedTool } from "./listed-tool.ts";
import { pinTool, settlePins } from "./settle-pins.ts";

const tool: ListedTool = {
  name: "a",
  description: "Does a.",
  inputSchema: { type: "object", properties: { x: { type: "string" } } },
};
const pins = [pinTool(tool, "accepted")];

function states(settled: readonly PinnedTool[]): Record<string, string> {
  return Object.fromEntries(settled.map(({ name, state }) => [name, state]));
}

describe("settlePins", () => {
  it("gives back the same pins where nothing differs but the order of properties", () => {
    const { name, inputSchema, description } = tool;
    expect(settlePins(pins, [{ inputSchema, description, name }])).toBe(pins);
  });

  it.each<[string, Partial<ListedTool>]>([
    ["description", { description: "Does A." }],
    ["description, by an invisible character", { description: "Does a.\u200B" }],
    ["title", { title: "A" }],
    ["input schema", { inputSchema: { type: "object" } }],
    ["output schema", { outputSchema: { type: "object" } }],
    ["annotations", { annotations: { readOnlyHint: true } }],
  ])("suspects a tool with another %s, even after it is reverted", (_, change) => {
    const changed = settlePins(pins, [{ ...tool, ...change }]);
    expect(changed).toEqual([{ ...pins[0], state: "changed" }]);
    expect(settlePins(changed, [tool])).toBe(changed);
    expect(settlePins(changed, [])).toBe(changed);
  });

  it("knows tools that came and went", () => {
    const fresh = { ...tool, name: "b" };
    const settled = settlePins(pins, [fresh]);
    expect(states(settled)).toEqual({ a: "gone", b: "new" });
    expect(states(settlePins(settled, [tool]))).toEqual({ a: "accepted" });
    expect(states(settlePins(settled, [{ ...tool, description: "else" }]))).toEqual({
      a: "changed",
    });
  });
});
