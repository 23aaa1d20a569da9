import { describe, expect, it } from "vitest";
import { toContext, toGlobArguments, toGrepLines } from "./search.ts";

describe("toGlobArguments", () => {
  it.each([
    ["src/*.ts", undefined, { pattern: "src/*.ts" }],
    ["*.ts", "src", { pattern: "*.ts", path: "src" }],
    ["/w/src/**/*.ts", "ignored", { pattern: "**/*.ts", path: "/w/src" }],
    ["/w/a.{js,ts}", undefined, { pattern: "a.{js,ts}", path: "/w" }],
    ["/w/a.ts", undefined, { pattern: "a.ts", path: "/w" }],
    ["/w/", undefined, { pattern: "*", path: "/w" }],
    ["/*", undefined, { pattern: "*", path: "/" }],
  ])("makes %s below %s %j", (pattern, path, place) => {
    expect(toGlobArguments(pattern, path)).toEqual(place);
  });
});

// As `grep` gives it for a context of two: each line once, at the match above it.
const data = {
  matches: [
    { path: "a", line: 3, text: "x", before: ["1", "2"], after: ["4", "5"] },
    { path: "a", line: 7, text: "x", clipped: true, before: ["6"], after: ["8", "9"] },
    { path: "b", line: 1, text: "x", after: ["2"] },
  ],
};

const shown = (before: number, after: number): string[] =>
  toGrepLines(data, { before, after }).map(
    ({ path, number, text, isMatch }) => `${path}${isMatch ? ":" : "-"}${number} ${text}`,
  );

describe("toGrepLines", () => {
  it("gives the matches alone", () => {
    expect(shown(0, 0)).toEqual(["a:3 x", "a:7 x… [the line continues]", "b:1 x"]);
  });

  it("gives lines before a match though they are listed after another", () => {
    expect(shown(2, 0)).toEqual([
      "a-1 1",
      "a-2 2",
      "a:3 x",
      "a-5 5",
      "a-6 6",
      "a:7 x… [the line continues]",
      "b:1 x",
    ]);
  });

  it("gives lines after a match", () => {
    expect(shown(0, 1)).toEqual([
      "a:3 x",
      "a-4 4",
      "a:7 x… [the line continues]",
      "a-8 8",
      "b:1 x",
      "b-2 2",
    ]);
  });
});

describe("toContext", () => {
  it("asks for the larger side, and for twenty lines at most", () => {
    expect(toContext({ before: 1, after: 3 })).toEqual({ context: 3 });
    expect(toContext({ before: 99, after: 0 })).toEqual({ context: 20 });
    expect(toContext({ before: 0, after: 0 })).toEqual({});
  });
});
