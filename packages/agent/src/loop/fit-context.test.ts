import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createMemoryThread } from "../threads/memory-thread.ts";
import { eventsOf, openTestAgent } from "./test-support/open-test-agent.ts";
import { linesOf, type ScriptedAnswer, scriptModel } from "./test-support/script-model.ts";

const room = { contextTokens: 4000 };
const usage = { input: 0, output: 5 };
const wordy = (name: string, length: number): string => `${name} ${"word ".repeat(length / 5)}`;
const page = new MockTool({ name: "page", output: () => "p".repeat(6000) });
const pageCall = (index: number): ScriptedAnswer => ({
  calls: [{ id: `c${index}`, name: "page", input: { index } }],
  usage,
});

describe("too much to be sent", () => {
  it("shortens old results first", async () => {
    const model = scriptModel(
      [pageCall(1), { text: "One.", usage }, pageCall(2), { text: "Two." }],
      room,
    );
    const { prompt, entries, events } = openTestAgent(model, { tools: [page] });
    await prompt("First.");
    await prompt("Second.");
    const results = linesOf(model.requests[3]).filter((line) => line.startsWith("result"));
    expect(results).toEqual([
      expect.stringContaining("4500 of 6000 characters"),
      `result c2: ${"p".repeat(6000)}`,
    ]);
    expect(entries()[2]).toMatchObject({ output: { value: "p".repeat(6000) } });
    expect(eventsOf(events, "warning")).toEqual([]);
  });

  it("drops its oldest turns, and reports that once", async () => {
    const model = scriptModel((index) => ({ text: wordy(`Answer ${index}.`, 2000), usage }), room);
    const { prompt, events } = openTestAgent(model);
    for (let turn = 0; turn < 12; turn++) await prompt(wordy(`Prompt ${turn}.`, 2000));
    const lines = linesOf(model.requests.at(-1));
    expect(lines[1]).toMatch(/^user: Prompt/u);
    expect(lines.at(-1)).toMatch(/^user: Prompt 11\./u);
    expect(lines.join("").length / 4).toBeLessThan(3000);
    expect(eventsOf(events, "warning")).toMatchObject([
      { message: expect.stringContaining("oldest turns") },
    ]);
  });

  it("drops the earliest steps of a long turn instead of failing", async () => {
    const model = scriptModel(
      (index) => (index < 20 ? pageCall(index) : { text: "Done.", usage }),
      room,
    );
    let count = 0;
    const counting = new MockTool({ name: "page", output: () => `${++count}${"p".repeat(3000)}` });
    const { prompt } = openTestAgent(model, { tools: [counting] });
    expect(await prompt("Read it all.")).toMatchObject({ reason: "end", steps: 21 });
    const lines = linesOf(model.requests.at(-1));
    expect(lines[1]).toBe("user: Read it all.");
    expect(lines.join("").length / 4).toBeLessThan(3500);
    expect(lines.at(-1)).toMatch(/^result c19: 20/u);
  });

  it("is summarized if a summarizer is available", async () => {
    const texts: string[] = [];
    const thread = createMemoryThread();
    const model = scriptModel((index) => ({ text: wordy(`Answer ${index}.`, 3000), usage }), room);
    const { prompt, events, entries } = openTestAgent(model, {
      thread,
      summarize: async (text) => {
        texts.push(text);
        return `Summary ${texts.length}.`;
      },
    });
    for (let turn = 0; turn < 3; turn++) await prompt(wordy(`Prompt ${turn}.`, 3000));
    await prompt("The very last.");
    expect(eventsOf(events, "compaction")).toMatchObject(
      [
        { entries: 7, summary: expect.stringContaining("Summary 1.") },
        { summary: expect.stringContaining("Summary 2.") },
      ].slice(0, texts.length),
    );
    expect(texts[0]).toContain("Prompt 0.");
    const summed = entries().filter(({ kind }) => kind === "summary");
    expect(summed).toHaveLength(texts.length);
    const last = linesOf(model.requests.at(-1)).join("\n");
    expect(last).toContain("Summary");
    expect(last).toContain("The very last.");
    const next = scriptModel([{ text: "Here." }], room);
    await openTestAgent(next, { thread }).prompt("And now?");
    const resumed = linesOf(next.requests[0]).join("\n");
    expect(resumed).toContain("Summary");
    expect(resumed).toContain("And now?");
  });

  it("is summarized during a turn, with the prompt and its images", async () => {
    const model = scriptModel(
      (index) => (index < 6 ? pageCall(index) : { text: "Done.", usage }),
      room,
    );
    const { agent } = openTestAgent(model, {
      tools: [page],
      summarize: async () => "So far so good.",
    });
    const outcome = await agent.prompt([
      { type: "text", text: "Read it all." },
      { type: "file", mediaType: "image/png", data: "aGk=" },
    ]);
    expect(outcome).toMatchObject({ reason: "end" });
    const request = model.requests.find((one) => linesOf(one).join("").includes("So far so good."));
    expect(linesOf(request).join("\n")).toContain("Read it all.");
    expect(linesOf(request)).toContain("user: [file]");
  });

  it("drops its oldest turns if it can't be summarized", async () => {
    const model = scriptModel((index) => ({ text: wordy(`Answer ${index}.`, 3000), usage }), room);
    const { prompt, events } = openTestAgent(model, {
      summarize: () => Promise.reject(new Error("out of words")),
    });
    for (let turn = 0; turn < 5; turn++) {
      expect(await prompt(wordy(`Prompt ${turn}.`, 3000))).toMatchObject({ reason: "end" });
    }
    expect(eventsOf(events, "warning").map(({ message }) => message)).toEqual([
      "The conversation could not be summarized: out of words",
      expect.stringContaining("oldest turns"),
    ]);
  });

  it("is measured by what the provider counts", async () => {
    // Four tokens where one is estimated, as with Chinese.
    const dense = { input: 2400, output: 5 };
    const script = [
      { text: "One.", usage: dense },
      { text: "Two.", usage: dense },
    ];
    const model = scriptModel(script, room);
    const { prompt } = openTestAgent(model);
    await prompt(wordy("First.", 2000));
    await prompt(wordy("Second.", 2000));
    expect(linesOf(model.requests[1]).slice(1)).toEqual([wordy("user: Second.", 2000)]);
  });

  it("is not summarized once the turn is aborted", async () => {
    const controller = new AbortController();
    const model = scriptModel([{ text: wordy("One.", 9000), usage }], room);
    const { prompt, entries } = openTestAgent(model, {
      summarize: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    await prompt(wordy("First.", 9000));
    expect(await prompt("Second.", { signal: controller.signal })).toMatchObject({
      reason: "aborted",
    });
    expect(entries().at(-1)).toMatchObject({ kind: "turn-end", reason: "aborted" });
  });
});

describe("five hundred turns", () => {
  it("send no more with the last turn than with the first, and keep everything in the thread", async () => {
    const script = (index: number): ScriptedAnswer =>
      index % 2 === 0 ? pageCall(index) : { text: wordy(`Answer ${index}.`, 200), usage };
    const model = scriptModel(script, { contextTokens: 8000 });
    const { agent, thread } = openTestAgent(model, { tools: [page] });
    const sizes: number[] = [];
    for (let turn = 0; turn < 500; turn++) {
      const outcome = await agent.prompt(wordy(`Prompt ${turn}.`, 200));
      expect(outcome).toMatchObject({ reason: "end", steps: 2 });
      sizes.push(linesOf(model.requests.at(-1)).join("").length);
      model.requests.length = 0;
    }
    expect(Array.from(thread.entries())).toHaveLength(2500);
    const early = Math.max(...sizes.slice(0, 50));
    // The numbers of the turns get longer.
    expect(Math.max(...sizes.slice(-50))).toBeLessThan(early * 1.02);
    expect(early / 4).toBeLessThan(8000);
  });
});
