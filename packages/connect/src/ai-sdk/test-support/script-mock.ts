import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

/** A call as a model asks for it. */
export interface ScriptedCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON text. */
  readonly input: string;
}

/** Makes a call; text is taken as it is, so that it may be broken. */
export function call(toolCallId: string, toolName: string, input: unknown): ScriptedCall {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { type: "tool-call", toolCallId, toolName, input: text };
}

/** A model that makes these calls or says these texts, one step each, streamed or not. */
export function scriptMock(
  steps: readonly (string | readonly ScriptedCall[])[],
  provider?: string,
): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const answers = steps.map((step) => {
    const isText = typeof step === "string";
    const unified = isText ? ("stop" as const) : ("tool-calls" as const);
    return {
      content: isText ? [{ type: "text" as const, text: step }] : [...step],
      finishReason: { unified, raw: unified },
      usage,
      warnings: [],
    };
  });
  return new MockLanguageModelV4({
    ...(provider !== undefined && { provider }),
    doGenerate: answers,
    doStream: answers.map(({ content, finishReason }) => ({
      stream: simulateReadableStream<LanguageModelV4StreamPart>({
        chunks: [
          { type: "stream-start", warnings: [] },
          ...content.flatMap(toChunks),
          { type: "finish", finishReason, usage },
        ],
      }),
    })),
  });
}

function toChunks(
  part: ScriptedCall | { readonly type: "text"; readonly text: string },
): LanguageModelV4StreamPart[] {
  if (part.type !== "text") return [part];
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: part.text },
    { type: "text-end", id: "t" },
  ];
}

/** What a model got in one step. */
export interface ScriptedPrompt {
  readonly tools: readonly (LanguageModelV4FunctionTool | LanguageModelV4ProviderTool)[];
  /** The results of calls, by their ids. */
  readonly outputs: ReadonlyMap<string, unknown>;
}

/** Looks at what a model got in one step, counted from 0. */
export function promptOf(model: MockLanguageModelV4, step: number): ScriptedPrompt {
  const options = [...model.doGenerateCalls, ...model.doStreamCalls][step];
  const results = (options?.prompt ?? []).flatMap(({ role, content }) =>
    role === "tool" ? content.filter((part) => part.type === "tool-result") : [],
  );
  return {
    tools: options?.tools ?? [],
    outputs: new Map(results.map(({ toolCallId, output }) => [toolCallId, output])),
  };
}
