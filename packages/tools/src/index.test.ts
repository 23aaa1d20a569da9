import { describe, expect, it } from "vitest";
import * as tools from "./index.ts";

describe("builtinTools", () => {
  it("has every tool under its own id, all declared as built in", () => {
    const { builtinTools, ...exported } = tools;
    expect(builtinTools).toEqual(Object.values(exported).sort(byPosition));
    const names = Object.values(exported).map(({ id }) => toCamelCase(id));
    expect(Object.keys(exported)).toEqual(names);
    expect(builtinTools.every((tool) => tool.source === "builtin")).toBe(true);
  });
});

function byPosition(a: { id: string }, b: { id: string }): number {
  const ids = tools.builtinTools.map((tool) => tool.id);
  return ids.indexOf(a.id) - ids.indexOf(b.id);
}

function toCamelCase(id: string): string {
  return id.replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase());
}
