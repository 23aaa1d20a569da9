import type { LanguageModelStreamPart } from "ai";
import { describe, expect, it } from "vitest";
import { createAnswerCollector } from "./answer-collector.ts";

type End = Extract<LanguageModelStreamPart, { type: "model-call-end" }>;

const end = (facts: Partial<End> = {}): End => ({
  type: "model-call-end",
  finishReason: "stop",
  rawFinishReason: "stop",
  usage: { inputTokens: 3, outputTokens: 2 } as End["usage"],
  performance: {} as End["performance"],
  ...facts,
});

function collect(...parts: LanguageModelStreamPart[]) {
  const heard: string[] = [];
  const collector = createAnswerCollector({
    text: (delta) => heard.push(delta),
    reasoning: (delta) => heard.push(`(${delta})`),
  });
  for (const part of parts) collector.take(part);
  return { heard, text: collector.text(), answer: collector.answer((id) => `own-${id}`) };
}

describe("an answer", () => {
  it("is put together in order, with what its provider says of each part", () => {
    const signature = { anthropic: { signature: "s" } };
    const { heard, answer } = collect(
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", text: "Hm" },
      { type: "reasoning-end", id: "0", providerMetadata: signature },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", text: "Ye" },
      { type: "text-delta", id: "0", text: "s" },
      { type: "text-end", id: "0" },
      { type: "tool-call", toolCallId: "c", toolName: "look", input: {}, dynamic: true },
      end(),
    );
    expect(heard).toEqual(["(Hm)", "Ye", "s"]);
    expect(answer).toMatchObject({
      parts: [
        { type: "reasoning", text: "Hm", providerOptions: signature },
        { type: "text", text: "Yes" },
        { type: "tool-call", toolCallId: "own-c", toolName: "look", input: {} },
      ],
      calls: [{ id: "own-c", name: "look", input: {} }],
      text: "Yes",
      finishReason: "stop",
    });
  });

  it("leaves the calls to the provider that it makes itself", () => {
    const { answer } = collect(
      {
        type: "tool-call",
        toolCallId: "c",
        toolName: "search",
        input: {},
        dynamic: true,
        providerExecuted: true,
      },
      end(),
    );
    expect(answer).toMatchObject({ parts: [{ toolCallId: "c" }], calls: [] });
  });

  it("drops empty parts", () => {
    const { answer } = collect(
      { type: "text-start", id: "0" },
      { type: "text-end", id: "0" },
      end(),
    );
    expect(answer?.parts).toEqual([]);
  });

  it.each([
    ["has no end", []],
    ["ended by an error", [end({ finishReason: "error" })]],
    ["ended before it was whole", [end({ finishReason: "interrupted" })]],
    [
      "ended for no reason and without a count",
      [
        end({
          finishReason: "other",
          rawFinishReason: undefined,
          usage: {} as End["usage"],
        }),
      ],
    ],
  ])("is rejected if it %s", (_, last) => {
    const half: LanguageModelStreamPart = { type: "text-delta", id: "0", text: "Half" };
    expect(collect(half, ...last)).toMatchObject({ text: "Half", answer: undefined });
  });

  it("throws an error that the provider reports mid-stream", () => {
    expect(() => collect({ type: "error", error: new Error("overloaded") })).toThrow("overloaded");
  });
});
