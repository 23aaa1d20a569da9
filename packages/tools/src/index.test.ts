import type { Tool } from "@haft/contract";
import { describe, expect, it } from "vitest";
import * as tools from "./index.ts";

describe("builtinTools", () => {
  it("contains every exported tool, and each declares itself built in", () => {
    const { builtinTools, jobTools, ...exported } = tools;
    const known = Object.entries(exported as Record<string, object>).filter(
      (entry): entry is [string, Tool] => "execute" in entry[1],
    );
    const single = known.map(([, tool]) => tool);
    expect(builtinTools).toEqual([...single, ...jobTools].sort(byPosition));
    expect(jobTools.map(({ id }) => id)).toEqual([
      "job_start",
      "job_output",
      "job_stop",
      "job_list",
    ]);
    for (const [name, { id }] of known) expect(name).toBe(toCamelCase(id));
    expect(builtinTools.every((tool) => tool.source === "builtin")).toBe(true);
  });

  it("require what is above the workspace only to check and format, and never to write", () => {
    const mentions = (patterns: readonly string[] = []) => patterns.join().includes("{repository}");
    const { builtinTools } = tools;
    const readers = builtinTools.filter(({ requires }) => mentions(requires.fs?.read));
    expect(readers.map(({ id }) => id).sort()).toEqual(["check", "format_file"]);
    expect(builtinTools.some(({ requires }) => mentions(requires.fs?.write))).toBe(false);
  });
});

function byPosition(a: { id: string }, b: { id: string }): number {
  const ids = tools.builtinTools.map((tool) => tool.id);
  return ids.indexOf(a.id) - ids.indexOf(b.id);
}

function toCamelCase(id: string): string {
  return id.replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase());
}
