import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockFinder } from "./block-finder.ts";
import { findBlock } from "./find-block.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 });
const block = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 5 });

describe("findBlock and BlockFinder", () => {
  it("find what comparing at every place finds", () => {
    fc.assert(
      fc.property(lines, fc.array(block, { minLength: 1, maxLength: 8 }), (all, blocks) => {
        const finder = new BlockFinder(all);
        for (const some of blocks) {
          const expected = all.flatMap((_, at) =>
            some.every((line, offset) => all[at + offset] === line) ? [at] : [],
          );
          expect(findBlock(all, some)).toEqual(expected);
          expect(finder.find(some)).toEqual(expected);
        }
      }),
    );
  });
});
