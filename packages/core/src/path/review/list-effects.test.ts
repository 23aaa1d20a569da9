import { describe, expect, it } from "vitest";
import type { LayerEffect } from "../../computer.ts";
import { joinDiffs, listEffects, proposeForEffects } from "./list-effects.ts";

const roots = ["/w"];

/** Effects by their paths: a directory ends with a slash, a deletion starts with a minus. */
function toEffects(...names: readonly string[]): readonly LayerEffect[] {
  return names.map((name) => ({
    path: `/w/${name.replace(/^-|\/$/gu, "")}`.replace(/\/$/u, ""),
    kind: name.startsWith("-") ? "deleted" : "created",
    isDirectory: name.endsWith("/"),
    diff: (shown) => `+++ ${shown}\n`,
  }));
}

function number(count: number, prefix: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

describe("proposeForEffects", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["a*.ts"], ["a\\*.ts"]],
    [
      ["src/a", "src/b", "c"],
      ["src/a", "src/b", "c"],
    ],
    [number(5, "src/core/x/"), ["src/core/x/**"]],
    [
      ["new/", ...number(5, "new/")],
      ["new", "new/**"],
    ],
    [
      ["top", ...number(3, "src/a/"), ...number(3, "src/b/")],
      ["top", "src/**"],
    ],
    // What is replaced by a directory, or the other way round, does not widen the rule.
    [
      ["-x", "x/", ...number(5, "x/")],
      ["x", "x/**"],
    ],
    [
      ["-x/", ...number(5, "-x/"), "x"],
      ["x", "x/**"],
    ],
    [number(13, "root-file-"), []],
  ])("allows exactly the places of %j", (names, patterns) => {
    const rules = proposeForEffects(toEffects(...names), roots);
    expect(rules.map(({ pattern }) => pattern)).toEqual(patterns);
  });
});

describe("listEffects", () => {
  it("lists files, and many new ones by their directory", () => {
    expect(listEffects(toEffects("d/", "d/a", "e/"), roots)).toEqual([
      { path: "d/a", kind: "created" },
      { path: "e", kind: "created" },
    ]);
    const many = toEffects("-old", "d/", "d/e/", ...number(150, "d/e/"), "z");
    expect(listEffects(many, roots)).toEqual([
      { path: "old", kind: "deleted" },
      { path: "d", kind: "created", files: 150 },
      { path: "z", kind: "created" },
    ]);
  });

  it("shows git's own files as one change", () => {
    const effects = toEffects(".git/", ".git/index", ".git/objects/", ".git/objects/a", "-b");
    expect(listEffects(effects, roots)).toEqual([
      { path: "b", kind: "deleted" },
      { path: ".git", kind: "modified", files: 2 },
    ]);
  });
});

describe("joinDiffs", () => {
  it("stops at a readable length and counts the rest", () => {
    const long = "n".repeat(4_000);
    const diff = joinDiffs(toEffects("d/", ...number(10, long)), roots);
    expect(diff.length).toBeLessThan(20_100);
    expect(diff).toMatch(/\(and 6 more changed files\)\n$/u);
  });
});
