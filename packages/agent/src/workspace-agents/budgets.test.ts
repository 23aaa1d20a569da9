import { describe, expect, it } from "vitest";
import type { Usage } from "../loop/agent-event.ts";
import type { Budgets } from "../settings/agent-settings.ts";
import { factsOf, openTestThreads } from "../threads/test-support/open-test-threads.ts";
import type { ThreadEntry } from "../threads/thread.ts";
import { createBudgetCheck } from "./budgets.ts";

const answered = (tokens: number, cost?: number, agent = "build"): ThreadEntry => ({
  kind: "assistant",
  agent,
  model: "openai/m",
  content: [{ type: "text", text: "Well." }],
  usage: usageOf(tokens, cost),
});

function usageOf(tokens: number, cost?: number): Usage {
  return {
    input_tokens: tokens,
    output_tokens: 0,
    cached_tokens: 0,
    ...(cost !== undefined && { cost }),
  };
}

async function open(budgets: Budgets, agent = "build") {
  const { threads } = await openTestThreads();
  const own = threads.open(factsOf("own"));
  const other = threads.open(factsOf("other"));
  const below = threads.open({ ...factsOf("below"), parent: own.facts.id });
  const check = createBudgetCheck(budgets, {
    threads,
    session: () => own.facts.id,
    agent: () => agent,
  });
  return { threads, own, other, below, check };
}

describe("a budget of a session", () => {
  it("counts the session and its subagents, and no other session", async () => {
    const { own, other, below, check } = await open({ session: { maxTokens: 100 } });
    other.append(answered(1_000));
    own.append(answered(60));
    expect(check.findReached()).toBeUndefined();
    below.append(answered(40));
    expect(check.findReached()).toEqual({
      reason: "max-tokens",
      error:
        "The budget is used up: 100 tokens of 100, by this session. Raise budgets.session.maxTokens in ~/.config/haft/settings.json, or start another session.",
    });
  });

  it("counts what was paid for summaries", async () => {
    const { check } = await open({ session: { maxCost: 1 } });
    check.add(usageOf(10, 1));
    expect(check.findReached()).toMatchObject({
      reason: "max-cost",
      error: expect.stringContaining("a cost of 1.0000 of 1, by this session"),
    });
  });
});

describe("a budget of a day", () => {
  it("counts all sessions, but a fork only what it added", async () => {
    const { threads, own, other, check } = await open({ day: { maxCost: 2 } });
    own.append(answered(1, 0.9));
    threads.fork(own.facts.id, factsOf("fork"));
    other.append(answered(1, 0.9));
    expect(threads.usage().cost).toBeCloseTo(1.8);
    expect(check.findReached()).toBeUndefined();
    other.append(answered(1, 0.2));
    expect(check.findReached()).toMatchObject({
      reason: "max-cost",
      error: expect.stringMatching(/of 2, by today's sessions.*budgets\.day\.maxCost.*tomorrow/u),
    });
  });

  it("does not count what was used before", async () => {
    const { threads, own } = await open({});
    own.append(answered(50));
    const since = Date.now() + 60_000;
    expect(threads.usage({ since })).toMatchObject({ input_tokens: 0 });
    expect(threads.usage({ since: 0 })).toMatchObject({ input_tokens: 50 });
  });
});

describe("a budget of an agent", () => {
  it("counts the answers of that agent in all sessions, and stops only that one", async () => {
    const budgets = { agents: { oracle: { maxTokens: 10 } } };
    const { own, other, check } = await open(budgets, "oracle");
    own.append(answered(100));
    expect(check.findReached()).toBeUndefined();
    other.append(answered(10, undefined, "oracle"));
    expect(check.findReached()).toMatchObject({
      error: expect.stringContaining(
        "the agent oracle today. Raise budgets.agents.oracle.maxTokens",
      ),
    });
    const build = await open(budgets);
    build.own.append(answered(10, undefined, "oracle"));
    expect(build.check.findReached()).toBeUndefined();
  });
});

describe("budgets", () => {
  it.each([
    [{}, false],
    [{ session: { maxTokens: 1 } }, false],
    [{ day: { maxCost: 1 } }, true],
    [{ agents: { oracle: { maxCost: 1 } } }, true],
  ])("%j need prices: %s", async (budgets, needsPrices) => {
    expect((await open(budgets)).check.needsPrices).toBe(needsPrices);
  });
});
