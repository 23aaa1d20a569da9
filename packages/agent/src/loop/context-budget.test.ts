import { describe, expect, it } from "vitest";
import { createContextBudget } from "./context-budget.ts";
import { scriptModel } from "./test-support/script-model.ts";

describe("the room for a request", () => {
  it("is the model's context minus its answer", () => {
    const { limit } = createContextBudget();
    expect(limit(scriptModel([], { contextTokens: 100_000 }))).toBe(100_000 - 8192);
    expect(limit(scriptModel([], { contextTokens: 100_000, outputTokens: 20_000 }))).toBe(80_000);
    expect(limit(scriptModel([], { contextTokens: 4000, outputTokens: 20_000 }))).toBe(3000);
  });

  it("is less than the size that was refused", () => {
    const budget = createContextBudget();
    const model = scriptModel([]);
    budget.refused(model, 1000);
    budget.refused(model, 5000);
    expect(budget.limit(model)).toBe(900);
    expect(budget.limit(scriptModel([], { name: "mock/other" }))).toBeGreaterThan(100_000);
  });

  it("is filled by what providers count, within reason", () => {
    const budget = createContextBudget();
    budget.learn(100, 250);
    expect(budget.correct(10)).toBe(25);
    expect(budget.estimateFor(25)).toBe(10);
    budget.learn(100, undefined);
    budget.learn(100, 0);
    expect(budget.correct(10)).toBe(25);
    budget.learn(100, 1);
    expect(budget.correct(100)).toBe(75);
    budget.learn(100, 100_000);
    expect(budget.correct(100)).toBe(500);
  });
});
