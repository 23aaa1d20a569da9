import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortInTurns } from "./sort-in-turns.ts";

describe("sortInTurns", () => {
  it("sorts like the language does, however long the list", async () => {
    const lists = fc.array(fc.string({ maxLength: 3 }), { maxLength: 6000, size: "max" });
    await fc.assert(
      fc.asyncProperty(lists, async (names) => {
        const sorted = await sortInTurns(names.map((name) => ({ name })));
        expect(sorted.map((entry) => entry.name)).toEqual([...names].sort());
      }),
      { numRuns: 20 },
    );
  });
});
