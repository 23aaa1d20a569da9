import { MockLanguageModelV4 } from "ai/test";

/** What the model does in one step: call a tool, or say something and end. */
export type ScriptedStep = { readonly call: string; readonly with: unknown } | string;

/** A model that follows a script: the examples need no key and cost nothing. Put yours in its place. */
export function createScriptedModel(steps: readonly ScriptedStep[]): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV4({
    doGenerate: steps.map((step, index) => ({
      content: [
        typeof step === "string"
          ? { type: "text", text: step }
          : {
              type: "tool-call",
              toolCallId: `call-${index}`,
              toolName: step.call,
              input: JSON.stringify(step.with),
            },
      ],
      finishReason: {
        unified: typeof step === "string" ? "stop" : "tool-calls",
        raw: undefined,
      },
      usage,
      warnings: [],
    })),
  });
}
