import type { LanguageModelUsage } from "ai";
import { describe, expect, it } from "vitest";
import { addUsage, costOf, noUsage, toUsage } from "./usage.ts";

const estimate = { input: 40, output: 4 };

describe("usage", () => {
  it("is what the provider reports, or an estimate", () => {
    const told = {
      inputTokens: 100,
      outputTokens: undefined,
      inputTokenDetails: { cacheReadTokens: 60 },
    } as LanguageModelUsage;
    expect(toUsage(told, estimate, undefined)).toEqual({
      input_tokens: 100,
      output_tokens: 4,
      cached_tokens: 60,
    });
    expect(toUsage(undefined, estimate, undefined)).toMatchObject({ input_tokens: 40 });
  });

  it("has a cost where there is a price, of the sum too", () => {
    const used = toUsage(undefined, estimate, { input: 1_000_000, output: 500_000 });
    expect(used.cost).toBe(42);
    expect(addUsage(noUsage, used)).toMatchObject({ input_tokens: 40, cost: 42 });
    expect(addUsage(noUsage, noUsage)).toEqual(noUsage);
  });
});

const usage = { input_tokens: 1_000_000, output_tokens: 200_000, cached_tokens: 400_000 };

describe("the cost of a request", () => {
  it("counts cached tokens at their own price", () => {
    expect(costOf(usage, { input: 3, output: 15, cached: 0.3 })).toBeCloseTo(1.8 + 0.12 + 3);
  });

  it("counts cached tokens at the normal price if they have none", () => {
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3 + 3);
  });
});
