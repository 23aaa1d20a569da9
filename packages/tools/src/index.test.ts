import { describe, expect, it } from "vitest";
import * as tools from "./index.ts";

describe("builtinTools", () => {
  it("has every tool under its own id, all declared as built in", () => {
    const { builtinTools, ...exported } = tools;
    expect(builtinTools).toEqual(Object.values(exported).sort(byPosition));
    expect(Object.entries(exported).every(([name, tool]) => name === tool.id)).toBe(true);
    expect(builtinTools.every((tool) => tool.source === "builtin")).toBe(true);
  });
});

function byPosition(a: { id: string }, b: { id: string }): number {
  const ids = tools.builtinTools.map((tool) => tool.id);
  return ids.indexOf(a.id) - ids.indexOf(b.id);
}
