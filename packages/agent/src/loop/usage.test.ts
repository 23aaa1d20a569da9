import type { LanguageModelUsage } from "ai";
import { describe, expect, it } from "vitest";
import { addUsage, noUsage, toUsage } from "./usage.ts";

const estimate = { input: 40, output: 4 };

describe("usage", () => {
  it("is as the provider tells, and estimated where it does not", () => {
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
