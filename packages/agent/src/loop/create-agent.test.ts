import { ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createMemoryThread } from "../threads/memory-thread.ts";
import type { AgentEvent } from "./agent-event.ts";
import { eventsOf, openTestAgent } from "./test-support/open-test-agent.ts";
import { linesOf, scriptModel } from "./test-support/script-model.ts";

const look = new MockTool({ name: "look", kind: "read", output: () => "Seen." });
const lookCall = (id: string, input: unknown = {}) => ({ id, name: "look", input });

describe("a turn", () => {
  it("asks, makes the calls, tells the results and ends when the model does", async () => {
    const tool = new MockTool({ name: "look", kind: "read", output: () => "Seen." });
    const model = scriptModel([
      { text: "I look.", calls: [lookCall("c1", { at: 1 }), lookCall("c2", { at: 2 })] },
      { text: "Done." },
    ]);
    const { prompt, entries, events } = openTestAgent(model, { tools: [tool] });
    const outcome = await prompt("Go.");
    expect(outcome).toEqual({
      reason: "end",
      text: "Done.",
      steps: 2,
      usage: { input_tokens: 20, output_tokens: 10, cached_tokens: 0 },
    });
    expect(tool.inputs).toEqual([{ at: 1 }, { at: 2 }]);
    expect(linesOf(model.requests[1])).toEqual([
      "system: Be good.",
      "user: Go.",
      "assistant: I look.",
      'call c1: look {"at":1}',
      'call c2: look {"at":2}',
      "result c1: Seen.",
      "result c2: Seen.",
    ]);
    expect(entries().map(({ kind }) => kind)).toEqual([
      "user",
      "assistant",
      "result",
      "result",
      "assistant",
      "turn-end",
    ]);
    expect(events.map(({ type }) => type).filter((type) => type !== "tool-state")).toEqual([
      "turn-start",
      "step-start",
      "text",
      "text",
      "step-end",
      "tool-call",
      "tool-call",
      "tool-result",
      "tool-result",
      "step-start",
      "text",
      "text",
      "step-end",
      "turn-end",
    ]);
    expect(eventsOf(events, "tool-call")[0]).toEqual({
      type: "tool-call",
      id: "c1",
      name: "look",
      tool: "look",
      kind: "read",
      arguments: { at: 1 },
    });
    expect(eventsOf(events, "tool-state").at(-1)).toMatchObject({ state: "done" });
  });

  it("continues from the turns before, in another process too", async () => {
    const thread = createMemoryThread();
    const first = openTestAgent(scriptModel([{ calls: [lookCall("c1")] }, { text: "One." }]), {
      tools: [look],
      thread,
    });
    await first.prompt("First.");
    const model = scriptModel([{ text: "Two." }, { text: "Three." }]);
    const second = openTestAgent(model, { tools: [look], thread });
    await second.prompt("Second.");
    await second.prompt("Third.");
    expect(linesOf(model.requests[1]).slice(1)).toEqual([
      "user: First.",
      "call c1: look {}",
      "result c1: Seen.",
      "assistant: One.",
      "user: Second.",
      "assistant: Two.",
      "user: Third.",
    ]);
  });

  it("includes entries that others add to the thread meanwhile", async () => {
    const model = scriptModel([{ text: "One." }, { text: "Two." }]);
    const { prompt, thread } = openTestAgent(model);
    await prompt("First.");
    thread.append({ kind: "notice", text: "The roof is done." });
    await prompt("Second.");
    expect(linesOf(model.requests[1]).slice(-2)).toEqual([
      "user: <notice>\nThe roof is done.\n</notice>",
      "user: Second.",
    ]);
  });

  it("stores an answer before its calls are made, and each result as it comes", async () => {
    const gate = Promise.withResolvers<void>();
    const thread = createMemoryThread();
    const kinds = (): string[] => Array.from(thread.entries(), ({ entry }) => entry.kind);
    const seen: string[][] = [];
    const slow = new MockTool({
      name: "slow",
      output: async () => {
        seen.push(kinds());
        await gate.promise;
        seen.push(kinds());
        return "Slow.";
      },
    });
    const calls = [{ id: "s", name: "slow", input: {} }, lookCall("l")];
    const { prompt } = openTestAgent(scriptModel([{ calls }, { text: "Done." }]), {
      tools: [slow, look],
      thread,
    });
    await prompt("Go.", {
      onEvent: (event) => {
        if (event.type === "tool-result" && event.id === "l") gate.resolve();
      },
    });
    expect(seen).toEqual([
      ["user", "assistant"],
      ["user", "assistant", "result"],
    ]);
  });

  it("keeps what a provider needs of an answer", async () => {
    const { prompt, entries } = openTestAgent(scriptModel([{ reasoning: "Hm.", text: "Yes." }]));
    await prompt("Go.");
    expect(entries()[1]).toMatchObject({
      kind: "assistant",
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Yes." },
      ],
      agent: "build",
      model: "mock/model",
      usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 0 },
    });
  });

  it("runs one at a time", async () => {
    const { prompt } = openTestAgent(scriptModel([{ text: "One." }, { text: "Two." }]));
    const first = prompt("First.");
    expect(await prompt("Second.")).toMatchObject({
      reason: "error",
      error: "A turn is already running. Wait until it ends, or abort it.",
    });
    expect(await first).toMatchObject({ reason: "end" });
    expect(await prompt("Third.")).toMatchObject({ reason: "end", text: "Two." });
  });

  it.each([
    ["no words", ""],
    ["blanks", " \n"],
    ["no parts", []],
  ])("is not begun with %s", async (_, prompt) => {
    const { agent, entries } = openTestAgent(scriptModel([]));
    expect(await agent.prompt(prompt)).toMatchObject({ reason: "error", steps: 0 });
    expect(entries()).toEqual([]);
  });

  it("shows pictures to the model", async () => {
    const model = scriptModel([{ text: "Red." }]);
    const { agent } = openTestAgent(model);
    await agent.prompt([
      { type: "text", text: "Which colour?" },
      { type: "file", mediaType: "image/png", data: "aGk=" },
    ]);
    expect(model.requests[0]?.prompt.at(-1)).toMatchObject({
      content: [
        { type: "text" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
      ],
    });
  });

  it("is not affected by failing listeners", async () => {
    const { agent } = openTestAgent(scriptModel([{ text: "Done." }]));
    const outcome = await agent.prompt("Go.", {
      onEvent: (event: AgentEvent) => {
        if (event.type === "text") throw new Error("deaf");
        return Promise.reject(new Error("deaf later")) as never;
      },
    });
    expect(outcome.reason).toBe("end");
  });

  it("leaves no listeners behind", async () => {
    const script = [{ calls: [lookCall("c")] }, { text: "Done." }];
    const { prompt, session, events } = openTestAgent(scriptModel(script), { tools: [look] });
    await prompt("Go.");
    const before = events.length;
    await session.call({ id: "c", name: "look", arguments: {} });
    expect(events).toHaveLength(before);
  });

  it("ends with an error where a role or the thread fails, and continues with the next", async () => {
    const model = scriptModel([{ text: "Done." }]);
    let isBroken = true;
    const { prompt, entries } = openTestAgent(model, {
      role: () => {
        if (isBroken) throw new ToolError("unavailable", "No key.");
        return { name: "build", model, instructions: "" };
      },
    });
    expect(await prompt("First.")).toMatchObject({ reason: "error", error: "No key." });
    isBroken = false;
    expect(await prompt("Second.")).toMatchObject({ reason: "end" });
    expect(entries().map(({ kind }) => kind)).toEqual([
      "user",
      "turn-end",
      "user",
      "assistant",
      "turn-end",
    ]);
    expect(linesOf(model.requests[0])).toEqual(["user: First.", "user: Second."]);
  });

  it("reports a thread that can't be written", async () => {
    const { prompt, thread } = openTestAgent(scriptModel([]));
    thread.close();
    expect(await prompt("Go.")).toMatchObject({
      reason: "error",
      error: expect.stringContaining("is closed"),
    });
  });
});

describe("another agent", () => {
  it("answers from the request that names it", async () => {
    const one = scriptModel([{ calls: [lookCall("c")] }], { name: "mock/one" });
    const two = scriptModel([{ text: "Two here." }], { name: "mock/two" });
    let asked = 0;
    const { prompt, events, entries } = openTestAgent(one, {
      tools: [look],
      role: () =>
        asked++ === 0
          ? { name: "plan", model: one, instructions: "Plan." }
          : { name: "build", model: two, instructions: "Build." },
    });
    await prompt("Go.");
    expect(eventsOf(events, "turn-start")).toMatchObject([{ agent: "plan", model: "mock/one" }]);
    expect(eventsOf(events, "agent")).toEqual([
      { type: "agent", agent: "build", model: "mock/two" },
    ]);
    expect(linesOf(two.requests[0])[0]).toBe("system: Build.");
    expect(entries().at(-2)).toMatchObject({ agent: "build", model: "mock/two" });
  });
});
