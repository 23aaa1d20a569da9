import { type Progress, ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { eventsOf, openTestAgent } from "./test-support/open-test-agent.ts";
import { brokenConnection, linesOf, scriptModel } from "./test-support/script-model.ts";

const echo = (): MockTool =>
  new MockTool({ name: "echo", output: (input: unknown) => JSON.stringify(input) });

describe("calls of an answer", () => {
  it("run at once, two hundred of them too, with results in their order", async () => {
    let running = 0;
    let most = 0;
    const tool = new MockTool({
      name: "echo",
      output: async (input: unknown) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return JSON.stringify(input);
      },
    });
    const calls = Array.from({ length: 200 }, (_, n) => ({
      id: `c${n}`,
      name: "echo",
      input: { n },
    }));
    const model = scriptModel([{ calls }, { text: "Done." }]);
    const { prompt } = openTestAgent(model, { tools: [tool] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
    expect(most).toBeGreaterThan(1);
    expect(linesOf(model.requests[1]).slice(-200)).toEqual(
      calls.map(({ id, input }) => `result ${id}: ${JSON.stringify(input)}`),
    );
  });

  it("past a thousand are refused, and the turn continues", async () => {
    const tool = echo();
    const calls = Array.from({ length: 1003 }, (_, n) => ({
      id: `c${n}`,
      name: "echo",
      input: {},
    }));
    const model = scriptModel([{ calls }, { text: "Done." }]);
    const { prompt, events } = openTestAgent(model, { tools: [tool] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
    expect(tool.callCount).toBe(1000);
    const refused = eventsOf(events, "tool-result").filter(
      ({ result }) => result.metadata.error_code === "quota",
    );
    expect(refused.map(({ id }) => id)).toEqual(["c1000", "c1001", "c1002"]);
  });

  it("of unknown tools are answered with similar names", async () => {
    const model = scriptModel([
      { calls: [{ id: "c", name: "ecco the/dolphin", input: { a: 1 } }] },
      { text: "Done." },
    ]);
    const { prompt, events } = openTestAgent(model, { tools: [echo()] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
    expect(eventsOf(events, "tool-call")).toEqual([
      { type: "tool-call", id: "c", name: "ecco the/dolphin", arguments: { a: 1 } },
    ]);
    expect(eventsOf(events, "tool-result")).toMatchObject([
      { result: { metadata: { error_code: "unknown-tool" } } },
    ]);
    expect(linesOf(model.requests[1]).at(-2)).toBe('call c: ecco_the_dolphin {"a":1}');
  });

  it.each([
    ["broken JSON", '{"a": ', '{"a": '],
    ["a list", "[1]", [1]],
    ["a text", '"x"', "x"],
  ])(
    "with %s reach the session as they came, and the provider as an object",
    async (_, input, sent) => {
      const model = scriptModel([{ calls: [{ id: "c", name: "echo", input }] }, { text: "Done." }]);
      const tool = echo();
      const { prompt, events, entries } = openTestAgent(model, { tools: [tool] });
      expect(await prompt("Go.")).toMatchObject({ reason: "end" });
      expect(tool.callCount).toBe(0);
      expect(eventsOf(events, "tool-call")).toMatchObject([{ arguments: sent }]);
      expect(entries()[1]).toMatchObject({ content: [{ type: "tool-call", input: sent }] });
      expect(linesOf(model.requests[1])).toContain("call c: echo {}");
      expect(eventsOf(events, "tool-result")).toMatchObject([
        { result: { type: "error", metadata: { error_code: "invalid-arguments" } } },
      ]);
    },
  );

  it("with double-encoded JSON are made", async () => {
    const input = JSON.stringify(JSON.stringify({ a: 1 }));
    const model = scriptModel([{ calls: [{ id: "c", name: "echo", input }] }, { text: "Done." }]);
    const tool = echo();
    await openTestAgent(model, { tools: [tool] }).prompt("Go.");
    expect(tool.inputs).toEqual([{ a: 1 }]);
    expect(linesOf(model.requests[1])).toContain('call c: echo {"a":1}');
  });

  it("have ids of their own, whatever the model gave them", async () => {
    const call = (n: number, id: string) => ({ id, name: "echo", input: { n } });
    const model = scriptModel([
      { calls: [call(1, "x"), call(2, "x"), call(3, "")] },
      { calls: [call(4, "x")] },
      { text: "Done." },
    ]);
    const { prompt, entries } = openTestAgent(model, { tools: [echo()] });
    await prompt("Go.");
    const results = entries().flatMap((entry) => (entry.kind === "result" ? [entry.callId] : []));
    expect(results[0]).toBe("x");
    expect(new Set(results).size).toBe(4);
    expect(results.every((id) => /^[\w-]+$/u.test(id))).toBe(true);
    const lines = linesOf(model.requests[2]);
    for (const [at, id] of results.entries()) {
      expect(lines).toContain(`call ${id}: echo {"n":${at + 1}}`);
      expect(lines).toContain(`result ${id}: {"n":${at + 1}}`);
    }
  });

  it("keep the ids that a failed try had", async () => {
    const calls = [{ id: "x", name: "echo", input: {} }];
    const model = scriptModel([{ calls, drop: brokenConnection }, { calls }, { text: "." }]);
    const { prompt, events } = openTestAgent(model, { tools: [echo()] });
    await prompt("Go.");
    expect(eventsOf(events, "tool-call").map(({ id }) => id)).toEqual(["x"]);
  });

  it("that fail are reported as errors", async () => {
    const error = new ToolError("not-found", "There is no such file.");
    const tool = new MockTool({ name: "echo", error });
    const model = scriptModel([
      { calls: [{ id: "c", name: "echo", input: {} }] },
      { text: "Done." },
    ]);
    const { prompt, entries } = openTestAgent(model, { tools: [tool] });
    await prompt("Go.");
    expect(entries()[2]).toMatchObject({ output: { type: "error-text" } });
    expect(linesOf(model.requests[1]).at(-1)).toContain("There is no such file.");
  });

  it("report their progress", async () => {
    const tool = {
      ...new MockTool({ name: "echo" }),
      execute: async (_: unknown, { progress }: { progress(made: Progress): void }) => {
        progress({ message: "Half." });
        return "Whole.";
      },
    };
    const model = scriptModel([
      { calls: [{ id: "c", name: "echo", input: {} }] },
      { text: "Done." },
    ]);
    const { prompt, events } = openTestAgent(model, { tools: [tool as never] });
    await prompt("Go.");
    expect(eventsOf(events, "tool-progress")).toMatchObject([{ id: "c" }]);
  });
});

describe("a remark", () => {
  const calls = [{ id: "c", name: "echo", input: { a: 1 } }];

  it("is added to the result", async () => {
    const model = scriptModel([{ calls }, { text: "Done." }]);
    const { prompt, events } = openTestAgent(model, {
      tools: [echo()],
      remark: async ({ name }) => `Mind the ${name}.`,
    });
    await prompt("Go.");
    expect(linesOf(model.requests[1]).at(-1)).toBe('result c: {"a":1}\n\nMind the echo.');
    expect(eventsOf(events, "tool-result")).toMatchObject([{ remarks: ["Mind the echo."] }]);
  });

  it("that fails or never comes loses no result", async () => {
    const controller = new AbortController();
    for (const remark of [
      () => Promise.reject(new Error("no")),
      () => {
        setImmediate(() => controller.abort());
        return new Promise<string>(() => undefined);
      },
    ]) {
      const model = scriptModel([{ calls }, { text: "Done." }]);
      const { prompt, entries } = openTestAgent(model, { tools: [echo()], remark });
      await prompt("Go.", { signal: controller.signal });
      expect(entries()[2]).toMatchObject({ output: { type: "text", value: '{"a":1}' } });
    }
  });
});

describe("a result of its own turn only", () => {
  it("is shown until the turn ends and is named afterwards", async () => {
    const tool = {
      ...new MockTool({ name: "echo", output: () => "The secret is 7." }),
      persistence: "ephemeral",
    };
    const calls = [{ id: "c", name: "echo", input: {} }];
    const model = scriptModel([{ calls }, { text: "One." }, { text: "Two." }]);
    const { prompt, entries } = openTestAgent(model, { tools: [tool as never] });
    await prompt("Go.");
    expect(entries()[2]).toMatchObject({ isEphemeral: true });
    await prompt("Again.");
    expect(linesOf(model.requests[1]).join()).toContain("The secret is 7.");
    expect(linesOf(model.requests[2]).join()).not.toContain("The secret is 7.");
    expect(linesOf(model.requests[2]).join()).toContain("only in its own turn");
  });
});
