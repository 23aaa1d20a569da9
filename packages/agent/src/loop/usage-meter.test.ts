import { describe, expect, it } from "vitest";
import type { Usage } from "./agent-event.ts";
import { createUsageMeter } from "./usage-meter.ts";

const usage = (tokens: number, cost?: number): Usage => ({
  input_tokens: tokens,
  output_tokens: 0,
  cached_tokens: 0,
  ...(cost !== undefined && { cost }),
});

describe("createUsageMeter", () => {
  it("counts usage of children towards limits of parents, which stop all of them", () => {
    const above = createUsageMeter({ maxTokens: 100 });
    const [one, other] = [createUsageMeter({}, { above }), createUsageMeter({}, { above })];
    one.add(usage(60));
    expect(other.findReached(1)).toBeUndefined();
    other.add(usage(60));
    for (const meter of [above, one, other]) {
      expect(meter.findReached(1)).toMatchObject({ reason: "max-tokens" });
    }
  });

  it("applies its own limits to its own usage", () => {
    const above = createUsageMeter({ maxSteps: 2 });
    const below = createUsageMeter({ maxTokens: 10, maxSteps: 5 }, { above });
    expect(below.findReached(3)).toBeUndefined();
    expect(below.findReached(5)).toMatchObject({ reason: "max-steps" });
    below.add(usage(10));
    expect(below.findReached(1)).toMatchObject({ reason: "max-tokens" });
    expect(above.findReached(1)).toBeUndefined();
  });

  it("begins again with each turn", () => {
    const meter = createUsageMeter({ maxCost: 1 });
    meter.add(usage(1, 1));
    expect(meter.findReached(1)).toMatchObject({ reason: "max-cost" });
    meter.start();
    expect(meter.findReached(0)).toBeUndefined();
  });

  it("needs prices if a cost limit is set, also by a parent", () => {
    expect(createUsageMeter({ maxTokens: 1 }).needsPrices).toBe(false);
    const above = createUsageMeter({ maxCost: 1 });
    expect(createUsageMeter({}, { above }).needsPrices).toBe(true);
  });
});
