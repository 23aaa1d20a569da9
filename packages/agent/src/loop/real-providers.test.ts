import { MockTool } from "@haft/contract/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OpenModel } from "../models/open-model.ts";
import { openModel } from "../models/open-model-by-name.ts";
import {
  call,
  calls,
  type ModelScript,
  type ModelServer,
  type ServedProvider,
  say,
  startModelServer,
} from "../test-support/model-server/index.ts";
import { eventsOf, openTestAgent } from "./test-support/open-test-agent.ts";

const names: readonly [ServedProvider, string][] = [
  ["openai", "openai/gpt-5"],
  ["anthropic", "anthropic/claude-sonnet-4-5"],
  ["google", "google/gemini-2.5-pro"],
  ["openai-compatible", "openai-compatible/local"],
];

const look = (): MockTool => new MockTool({ name: "look", output: () => "Seen." });

async function serve(
  script: ModelScript,
  [provider, name]: readonly [ServedProvider, string],
): Promise<{ model: OpenModel; server: ModelServer }> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const model = await openModel(name, {
    settings: {},
    environment: {},
    baseUrl: server.baseUrl(provider),
  });
  return { model, server };
}

describe.each(names)("a model of %s", (provider, name) => {
  const named = [provider, name] as const;

  it("is asked, and its calls are made", async () => {
    const { model, server } = await serve(
      [
        calls([
          ["look", { a: 1 }],
          ["look", { a: 2 }],
        ]),
        say(["Do", "ne."]),
      ],
      named,
    );
    const tool = look();
    const { prompt, events } = openTestAgent(model, { tools: [tool] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Done.", steps: 2 });
    expect(tool.inputs).toEqual([{ a: 1 }, { a: 2 }]);
    expect(
      eventsOf(events, "text")
        .map(({ text }) => text)
        .join(""),
    ).toBe("Done.");
    expect(JSON.stringify(server.requests[1])).toContain("Seen.");
  });

  it("may call unknown tools, and with invalid JSON", async () => {
    const { model } = await serve(
      [
        calls([
          ["no such tool", { a: 1 }],
          ["look", '{"a": '],
        ]),
        call("look", { a: 2 }),
        say("Done."),
      ],
      named,
    );
    const tool = look();
    const { prompt, events } = openTestAgent(model, { tools: [tool] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end", steps: 3 });
    expect(tool.inputs).toEqual([{ a: 2 }]);
    expect(
      eventsOf(events, "tool-result")
        .map(({ result }) => result.type)
        .sort(),
    ).toEqual(["error", "error", "output"]);
  });

  it("may call two hundred times at once", async () => {
    const many = Array.from({ length: 200 }, (_, a) => ["look", { a }] as const);
    const { model } = await serve([calls(many), say("Done.")], named);
    const tool = look();
    const { prompt } = openTestAgent(model, { tools: [tool] });
    expect(await prompt("Go.")).toMatchObject({ reason: "end", steps: 2 });
    expect(tool.callCount).toBe(200);
  });

  it("may answer nothing", async () => {
    const { model } = await serve([say(""), say(""), say("Here.")], named);
    const { prompt } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "" });
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Here." });
  });

  it("may break off in the middle of its answer", async () => {
    const broken = { text: ["Ha", "lf", " of", " it"], dropAfter: 3 };
    const { model, server } = await serve([broken, say("Whole.")], named);
    const { prompt, events, entries } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Whole." });
    expect(eventsOf(events, "retry")).toHaveLength(1);
    expect(server.requestCount).toBe(2);
    expect(entries().map(({ kind }) => kind)).toEqual(["user", "assistant", "turn-end"]);
  });

  it("may fail in the middle of its answer", async () => {
    const { model } = await serve([{ text: ["Ha", "lf"], failAfter: 3 }, say("Whole.")], named);
    const { prompt, events } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Whole." });
    expect(eventsOf(events, "retry")).toHaveLength(1);
  });

  it("may ask for a retry later", async () => {
    const busy = { status: 429, headers: { "retry-after": "3" } };
    const { model } = await serve([busy, say("Here.")], named);
    const { prompt, waits } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Here." });
    expect(waits).toEqual([3000]);
  });

  it("may refuse the key", async () => {
    const { model, server } = await serve([{ status: 401 }, say("Here.")], named);
    const { prompt } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({ reason: "error" });
    expect(server.requestCount).toBe(1);
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
  });

  it.each([
    ["before", { hang: true }],
    ["in the middle of", { text: ["Ha", "lf", "x"], hangAfter: 4 }],
  ])("is aborted %s its answer", async (_, hanging) => {
    const { model, server } = await serve([hanging, say("Here.")], named);
    const { prompt, entries } = openTestAgent(model);
    const controller = new AbortController();
    const running = prompt("Go.", {
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (type === "text") controller.abort();
      },
    });
    await expect.poll(() => server.requestCount).toBe(1);
    if ("hang" in hanging) controller.abort();
    expect(await running).toMatchObject({ reason: "aborted" });
    expect(entries().at(-1)).toMatchObject({ kind: "turn-end", reason: "aborted" });
    expect(await prompt("Go on.")).toMatchObject({ reason: "end", text: "Here." });
  });
});
