import { compileGlob } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFilePattern, type FilePattern } from "./file-pattern.ts";

describe("compileFilePattern", () => {
  const fits = (pattern: string, path: string): boolean => {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let state: FilePattern | undefined = compileFilePattern(pattern, "/w");
    for (const part of parts) state = state?.below(part, part.startsWith("."));
    return state?.fits(name, name.startsWith(".")) ?? false;
  };

  it("fits what a glob over the whole path fits", () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "*",
      "**",
      "a*",
      "*b",
      "?",
      "[ab]",
      "{a,b/c}",
      "a*c",
      "*.ts",
    );
    const name = fc.constantFrom("a", "b", "c", "ab", "abc", "a.ts");
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (parts, names) => {
          const [pattern, path] = [parts.join("/"), names.join("/")];
          // There, a pattern that ends so also fits the directory itself, which is not a file.
          const glob = compileGlob(pattern.replace(/\/\*\*$/u, "/**/*"));
          expect(fits(pattern, path)).toBe(glob(path));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("leads only where something can fit", () => {
    const pattern = compileFilePattern("src/*/test/*.ts", "/w");
    expect(pattern.below("lib", false)).toBeUndefined();
    expect(pattern.below("src", false)?.below("a", false)?.below("lib", false)).toBeUndefined();
    expect(pattern.below("src", false)?.below("a", false)?.below("test", false)).toBeDefined();
  });

  it("is in the same state wherever as much is left", () => {
    const pattern = compileFilePattern("**/*.ts", "/w");
    expect(pattern.below("a", false)).toBe(pattern.below("b", false)?.below("c", false));
  });

  it("does not let a wildcard stand for the dot of a hidden name", () => {
    expect(fits("*", ".a")).toBe(false);
    expect(fits("**", ".a/b")).toBe(false);
    expect(fits("?a", ".a")).toBe(false);
    expect(fits(".*", ".a")).toBe(true);
    expect(fits("**/.a/**", "x/.a/b/c")).toBe(true);
    expect(fits("\\.a", ".a")).toBe(true);
  });

  it("refuses what leads above, and what is not a pattern", () => {
    for (const pattern of ["../a", "a/../b", "[z-a]"]) {
      expect(() => compileFilePattern(pattern, "/w")).toThrow("pattern");
    }
  });
});
