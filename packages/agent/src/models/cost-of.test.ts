import { describe, expect, it } from "vitest";
import { costOf } from "./cost-of.ts";

const usage = { input_tokens: 1_000_000, output_tokens: 200_000, cached_tokens: 400_000 };

describe("the cost of a request", () => {
  it("counts what was there from before at its own price", () => {
    expect(costOf(usage, { input: 3, output: 15, cached: 0.3 })).toBeCloseTo(1.8 + 0.12 + 3);
  });

  it("counts it as the rest if it has none", () => {
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3 + 3);
  });
});
