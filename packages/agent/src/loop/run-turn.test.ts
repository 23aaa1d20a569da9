import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { BackgroundWork } from "./agent.ts";
import { eventsOf, openTestAgent } from "./test-support/open-test-agent.ts";
import { linesOf, type ScriptedAnswer, scriptModel } from "./test-support/script-model.ts";

const counting = (): MockTool => {
  let count = 0;
  return new MockTool({ name: "look", output: () => `Seen ${++count}.` });
};
const same = new MockTool({ name: "look", output: () => "Always this." });
const lookAt = (index: number): ScriptedAnswer => ({
  calls: [{ id: `c${index}`, name: "look", input: {} }],
});

describe("limits", () => {
  it("end a turn after so many requests, with the last calls made", async () => {
    const tool = counting();
    const { prompt, entries } = openTestAgent(scriptModel(lookAt), {
      tools: [tool],
      limits: { maxSteps: 3 },
    });
    expect(await prompt("Go.")).toMatchObject({
      reason: "max-steps",
      steps: 3,
      error: expect.stringContaining("maxSteps"),
    });
    expect(tool.callCount).toBe(3);
    expect(entries().at(-2)).toMatchObject({ kind: "result" });
    expect(await prompt("Go on.")).toMatchObject({ reason: "max-steps", steps: 3 });
  });

  it("default to 200 requests", async () => {
    const { prompt } = openTestAgent(scriptModel(lookAt), { tools: [counting()] });
    expect(await prompt("Go.")).toMatchObject({ reason: "max-steps", steps: 200 });
  });

  it("count tokens in and out", async () => {
    const { prompt } = openTestAgent(scriptModel(lookAt), {
      tools: [counting()],
      limits: { maxTokens: 30 },
    });
    expect(await prompt("Go.")).toMatchObject({ reason: "max-tokens", steps: 2 });
  });

  it("count what it costs", async () => {
    const price = { input: 10, output: 100, cached: 1 };
    const usage = { input: 1000, output: 100, cached: 500 };
    const script = (index: number): ScriptedAnswer => ({ ...lookAt(index), usage });
    const { prompt } = openTestAgent(scriptModel(script, { price }), {
      tools: [counting()],
      limits: { maxCost: 0.04 },
    });
    expect(await prompt("Go.")).toEqual({
      reason: "max-cost",
      text: "",
      steps: 3,
      usage: {
        input_tokens: 3000,
        output_tokens: 300,
        cached_tokens: 1500,
        cost: expect.closeTo(0.0465),
      },
      error: expect.stringContaining("maxCost"),
    });
  });

  it("do not apply once the model has ended its turn", async () => {
    const { prompt } = openTestAgent(scriptModel([{ text: "Done." }]), { limits: { maxSteps: 1 } });
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
  });
});

describe("a turn that is not to end yet", () => {
  it("goes on with a message, and keeps an aside out of its text", async () => {
    const model = scriptModel([{ text: "Done." }, { text: "It can't be left." }]);
    let isAside = false;
    const { prompt, events } = openTestAgent(model, {
      role: () => ({ name: "build", model, instructions: "Be good.", isAside }),
      beforeEnd: () => {
        if (isAside) return undefined;
        isAside = true;
        return "Judge it.";
      },
    });
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Done.", steps: 2 });
    expect(linesOf(model.requests[1]).at(-1)).toContain("Judge it.");
    const textOf = (type: "text" | "reasoning"): string =>
      eventsOf(events, type).reduce((all, { text }) => all + text, "");
    expect([textOf("text"), textOf("reasoning")]).toEqual(["Done.", "It can't be left."]);
  });
});

describe("a model that does the same over and over", () => {
  it("is warned after three repeats and stopped after six", async () => {
    const model = scriptModel(lookAt);
    const { prompt, events, entries } = openTestAgent(model, { tools: [same] });
    expect(await prompt("Go.")).toMatchObject({
      reason: "loop",
      steps: 6,
      error: expect.stringContaining("6 times in a row"),
    });
    expect(eventsOf(events, "notice")).toHaveLength(1);
    expect(entries().filter(({ kind }) => kind === "notice")).toHaveLength(1);
    expect(linesOf(model.requests[3]).at(-1)).toContain("three times in a row");
    expect(await prompt("Again.")).toMatchObject({ reason: "loop" });
  });

  it("is left alone as long as something changes", async () => {
    const { prompt } = openTestAgent(scriptModel(lookAt), {
      tools: [counting()],
      limits: { maxSteps: 10 },
    });
    expect(await prompt("Go.")).toMatchObject({ reason: "max-steps" });
  });
});

describe("an answer", () => {
  it("that is empty is requested once more", async () => {
    const { prompt, events, entries } = openTestAgent(scriptModel([{}, { text: "Here." }]));
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Here.", steps: 2 });
    expect(eventsOf(events, "warning")).toEqual([]);
    expect(entries().map(({ kind }) => kind)).toEqual(["user", "assistant", "turn-end"]);
  });

  it("that is empty twice ends the turn with a warning", async () => {
    const model = scriptModel([{ reasoning: "Hm." }, { text: "\n" }, { text: "Back." }]);
    const { prompt, events } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "" });
    expect(eventsOf(events, "warning")).toMatchObject([
      { message: expect.stringContaining("gave an empty answer") },
    ]);
    expect(await prompt("Still there?")).toMatchObject({ text: "Back." });
  });

  it.each([
    ["length", "cut off"],
    ["content-filter", "held back"],
  ] as const)("that ends by %s is reported", async (finish, words) => {
    const { prompt, events } = openTestAgent(scriptModel([{ text: "So mu", finish }]));
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "So mu" });
    expect(eventsOf(events, "warning")).toMatchObject([
      { message: expect.stringContaining(words) },
    ]);
  });

  it("cut off within a call is answered with what is wrong with it", async () => {
    const cut = {
      calls: [{ id: "c", name: "look", input: '{"at": "ro' }],
      finish: "length",
    } as const;
    const model = scriptModel([cut, { text: "Done." }]);
    const tool = counting();
    const { prompt } = openTestAgent(model, { tools: [tool] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
    expect(tool.callCount).toBe(0);
    expect(linesOf(model.requests[1]).slice(-2)).toEqual([
      "call c: look {}",
      expect.stringContaining("not valid JSON"),
    ]);
  });
});

describe("abort", () => {
  it("in the middle of an answer keeps what was said", async () => {
    const hanging: ScriptedAnswer = { text: "Half of", calls: lookAt(1).calls ?? [], hangs: true };
    const model = scriptModel([hanging, { text: "Again." }]);
    const tool = counting();
    const { prompt, entries } = openTestAgent(model, { tools: [tool] });
    const controller = new AbortController();
    const outcome = await prompt("Go.", {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "text" && event.text === " of") setImmediate(() => controller.abort());
      },
    });
    expect(outcome).toMatchObject({ reason: "aborted", text: "Half of" });
    expect(tool.callCount).toBe(0);
    expect(entries().slice(1)).toMatchObject([
      { kind: "assistant", content: [{ type: "text", text: "Half of" }] },
      { kind: "turn-end", reason: "aborted" },
    ]);
    expect(await prompt("Go on.")).toMatchObject({ reason: "end", text: "Again." });
    expect(linesOf(model.requests[1]).slice(-3)).toEqual([
      "assistant: Half of",
      "user: <notice>\nThe user stopped the turn here.\n</notice>",
      "user: Go on.",
    ]);
  });

  it("in the middle of calls gives each of them a result", async () => {
    const started = Promise.withResolvers<void>();
    const waiting = {
      ...new MockTool({ name: "wait" }),
      execute: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    };
    const calls = [
      { id: "w", name: "wait", input: {} },
      { id: "l", name: "look", input: {} },
    ];
    const model = scriptModel([{ calls }, { text: "Again." }]);
    const { prompt, events } = openTestAgent(model, { tools: [waiting, counting()] });
    const controller = new AbortController();
    const running = prompt("Go.", { signal: controller.signal });
    await started.promise;
    controller.abort();
    expect(await running).toMatchObject({ reason: "aborted" });
    expect(eventsOf(events, "tool-result").find(({ id }) => id === "w")).toMatchObject({
      result: { type: "error", metadata: { error_code: "cancelled" } },
    });
    expect(await prompt("Go on.")).toMatchObject({ reason: "end" });
    const results = linesOf(model.requests[1]).filter((line) => line.startsWith("result"));
    expect(results.map((line) => line.slice(0, 8))).toEqual(["result w", "result l"]);
  });

  it("before the turn begins sends no request", async () => {
    const model = scriptModel([]);
    const { prompt, entries } = openTestAgent(model);
    expect(await prompt("Go.", { signal: AbortSignal.abort() })).toMatchObject({
      reason: "aborted",
      steps: 0,
    });
    expect(model.requests).toEqual([]);
    expect(entries().map(({ kind }) => kind)).toEqual(["user", "turn-end"]);
  });

  it("also ends a wait for a role", async () => {
    const controller = new AbortController();
    const never = new Promise<never>(() => undefined);
    const stopLater = (): Promise<never> => {
      setImmediate(() => controller.abort());
      return never;
    };
    const { signal } = controller;
    const model = scriptModel([]);
    const stuck = openTestAgent(model, { role: stopLater });
    expect(await stuck.prompt("Go.", { signal })).toMatchObject({ reason: "aborted" });
  });
});

describe("work in the background", () => {
  function createWork(notices: string[][], running: number[]): BackgroundWork {
    return {
      running: () => running[0] ?? 0,
      takeNotices: () => notices.shift() ?? [],
      next: async () => {
        running.shift();
      },
    };
  }

  it("is reported before the next request once it has ended", async () => {
    const model = scriptModel([{ text: "Done." }]);
    const background = createWork([["Task 1 ended."]], []);
    const { prompt, events, entries } = openTestAgent(model, { background });
    await prompt("Go.");
    expect(linesOf(model.requests[0]).at(-1)).toBe("user: <notice>\nTask 1 ended.\n</notice>");
    expect(eventsOf(events, "notice")).toEqual([{ type: "notice", text: "Task 1 ended." }]);
    expect(entries()[1]).toEqual({ kind: "notice", text: "Task 1 ended." });
  });

  it("is waited for when the model has ended its turn", async () => {
    const model = scriptModel([{ text: "Wait." }, { text: "Both done." }]);
    const background = createWork([[], [], [], ["Task ended."]], [2, 1]);
    const { prompt } = openTestAgent(model, { background });
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Both done.", steps: 2 });
  });

  it("is not waited for if not requested", async () => {
    const model = scriptModel([{ text: "Done." }]);
    const background = createWork([[], ["Task ended."]], [1]);
    const { prompt } = openTestAgent(model, { background });
    expect(await prompt("Go.", { awaitsBackground: false })).toMatchObject({ steps: 1 });
  });

  it("does not keep an abort", async () => {
    const controller = new AbortController();
    const background: BackgroundWork = {
      running: () => 1,
      takeNotices: () => [],
      next: () => {
        setImmediate(() => controller.abort());
        return new Promise(() => undefined);
      },
    };
    const { prompt } = openTestAgent(scriptModel([{ text: "Wait." }]), { background });
    expect(await prompt("Go.", { signal: controller.signal })).toMatchObject({
      reason: "aborted",
      text: "Wait.",
    });
  });
});
