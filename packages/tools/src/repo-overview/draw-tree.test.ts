import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawTree } from "./draw-tree.ts";

describe("drawTree", () => {
  it("draws directories with their counts, then files", () => {
    const paths = ["a.md", "src/a.ts", "src/deep/b.ts", "src/deep/deeper/c.ts", "z.md"];
    expect(drawTree(paths, { depth: 2, bytes: 1_000 })).toBe(
      ["src/ (3 files)", "  deep/ (2 files)", "  a.ts", "a.md", "z.md"].join("\n"),
    );
  });

  it("counts files that are too many to name", () => {
    const paths = Array.from({ length: 15 }, (_, index) => `d/${index}`);
    expect(drawTree(paths, { depth: 3, bytes: 1_000 }).split("\n").slice(-2)).toEqual([
      "  11",
      "  … 3 files more",
    ]);
  });

  it("shows a name with a line break as one", () => {
    expect(drawTree(["a\nb"], { depth: 1, bytes: 100 })).toBe('"a\\nb"');
  });

  it("fits its bounds, whatever there is", () => {
    const path = fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 200 }), (paths) => {
        const joined = paths.map((parts) =>
          parts.map((part) => part.replaceAll("/", "_")).join("/"),
        );
        const tree = drawTree(joined, { depth: 5, bytes: 500 });
        expect(tree.length).toBeLessThanOrEqual(500 + "\n… 200 more".length);
      }),
    );
  });
});
