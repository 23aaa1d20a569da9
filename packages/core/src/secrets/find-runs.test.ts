import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findRuns, minRunLength } from "./find-runs.ts";

function collect(text: string): string[] {
  const runs: string[] = [];
  findRuns(text, (start, end) => runs.push(text.slice(start, end)));
  return runs;
}

describe("findRuns", () => {
  it("finds each long row of token characters, from end to end", () => {
    const run = "abc_DEF-0123456789xyz";
    expect(collect(`(${run}) short ${run}${run}`)).toEqual([run, run + run]);
    expect(collect(run.slice(0, minRunLength - 1))).toEqual([]);
    expect(collect(run.slice(0, minRunLength))).toEqual([run.slice(0, minRunLength)]);
  });

  it("finds what a plain search finds", () => {
    const word = fc.integer({ min: 0, max: 45 }).map((length) => "x".repeat(length));
    const break_ = fc.constantFrom(" ", ".", "é", "→", "..", "\n\n");
    fc.assert(
      fc.property(fc.array(fc.oneof(word, break_)), (parts) => {
        const text = parts.join("");
        expect(collect(text)).toEqual(text.match(/x{20,}/gu) ?? []);
      }),
    );
  });
});
