import { describe, expect, it } from "vitest";
import { gatherMatches } from "./gather-matches.ts";

const hit = (path: string, line: number) => ({ path, line, text: `${path}${line}` });
const near = (path: string, line: number) => ({ ...hit(path, line), context: true as const });

describe("gatherMatches", () => {
  it("keeps matches without anything around them as they are", () => {
    const clipped = { ...hit("b", 2), clipped: true as const };
    expect(gatherMatches([hit("a", 1), clipped])).toEqual([hit("a", 1), clipped]);
  });

  it("puts lines to the match above them, else to the one below", () => {
    const found = [
      near("a", 1),
      hit("a", 2),
      near("a", 3),
      near("a", 4),
      hit("a", 5),
      near("a", 6),
    ];
    expect(gatherMatches(found)).toEqual([
      { ...hit("a", 2), before: ["a1"], after: ["a3", "a4"] },
      { ...hit("a", 5), after: ["a6"] },
    ]);
  });

  it("does not put lines to a match of another file, or far away", () => {
    const found = [
      hit("a", 1),
      near("a", 2),
      near("a", 8),
      hit("a", 9),
      near("b", 10),
      hit("b", 11),
    ];
    expect(gatherMatches(found)).toEqual([
      { ...hit("a", 1), after: ["a2"] },
      { ...hit("a", 9), before: ["a8"] },
      { ...hit("b", 11), before: ["b10"] },
    ]);
  });

  it("forgets lines whose match was cut off", () => {
    expect(gatherMatches([hit("a", 1), near("b", 1)])).toEqual([hit("a", 1)]);
  });
});
