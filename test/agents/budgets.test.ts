import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ModelAnswer, say } from "./support/model-server.ts";
import { endOf, openPlace, type Place } from "./support/open-place.ts";

const answer: ModelAnswer = { ...say("Hello."), usage: { input: 600, output: 100 } };

function settle({ home }: Place, settings: object): void {
  const directory = join(home, ".config/haft");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
}

describe("a person's budgets", () => {
  it("end a turn before the next request, in every process, and say what to do", async () => {
    const place = await openPlace([answer, answer, answer]);
    settle(place, { budgets: { session: { maxTokens: 700 }, day: { maxTokens: 1_300 } } });
    const { agent, model } = place;
    expect((await agent(["--session", "one", "hello"])).code).toBe(0);
    const again = await agent(["--session", "one", "hello"]);
    expect(again.code).toBe(3);
    expect(endOf(again.events)).toMatchObject({
      reason: "max-tokens",
      error: expect.stringContaining("700 tokens of 700, by this session"),
    });
    expect((await agent(["--session", "two", "hello"])).code).toBe(0);
    const third = await agent(["--session", "three", "hello"]);
    expect([third.code, endOf(third.events).error]).toEqual([
      3,
      expect.stringContaining("1400 tokens of 1300, by today's sessions"),
    ]);
    expect(model.requestCount).toBe(2);
  });

  it("refuse a limit of cost without a price, and name the remedy", async () => {
    const place = await openPlace([answer]);
    settle(place, { budgets: { day: { maxCost: 1 } } });
    const { code, stderr } = await place.agent(["hello"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/price of openai-compatible\/scripted is unknown.*"prices"/u);
    expect(place.model.requestCount).toBe(0);
    const prices = { "openai-compatible/scripted": { input: 1_000, output: 5_000 } };
    settle(place, { budgets: { day: { maxCost: 1 } }, prices });
    expect((await place.agent(["hello"])).code).toBe(0);
    const second = await place.agent(["hello"]);
    expect(endOf(second.events)).toMatchObject({ reason: "max-cost" });
  });
});
