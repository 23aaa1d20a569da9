import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import type { OpenModel } from "../../models/open-model.ts";

/** A call as a model makes it; a text goes as it is, so that it may be broken. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a scripted model answers to one request. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: "stop" | "length" | "tool-calls" | "content-filter" | "other" | "error";
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** Thrown instead of an answer. */
  readonly error?: unknown;
  /** Thrown after everything but the end. */
  readonly drop?: unknown;
  /** Nothing comes after everything but the end. */
  readonly hangs?: boolean;
}

/** A model that answers what it was told to. */
export interface ScriptedModel extends OpenModel {
  /** What it was sent, oldest first. */
  readonly requests: MockLanguageModelV4["doStreamCalls"];
}

/** How `fetch` tells that the other side is gone. */
export const brokenConnection: TypeError = new TypeError("terminated", {
  cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
});

type Script = readonly ScriptedAnswer[] | ((index: number) => ScriptedAnswer);

/** Makes a model of a script. */
export function scriptModel(script: Script, facts: Partial<OpenModel> = {}): ScriptedModel {
  let index = 0;
  const requests: MockLanguageModelV4["doStreamCalls"] = [];
  const model = new MockLanguageModelV4({
    doStream: async (options) => {
      // What was sent stays as it was when it was sent.
      requests.push({ ...options, prompt: structuredClone(options.prompt) });
      const at = index++;
      const answer = typeof script === "function" ? script(at) : script[at];
      if (answer === undefined) throw new Error("The script is at its end.");
      if (answer.error !== undefined) throw answer.error;
      return { stream: toStream(answer) };
    },
  });
  return {
    name: "mock/model",
    model,
    form: "plain",
    contextTokens: 200_000,
    requests,
    ...facts,
  };
}

/** The words and results in a request, one a line, for comparing. */
export function linesOf(request: ScriptedModel["requests"][number] | undefined): string[] {
  return (request?.prompt ?? []).flatMap((message) => {
    if (typeof message.content === "string") return [`${message.role}: ${message.content}`];
    return message.content.map((part) => {
      switch (part.type) {
        case "text":
          return `${message.role}: ${part.text}`;
        case "tool-call":
          return `call ${part.toolCallId}: ${part.toolName} ${JSON.stringify(part.input)}`;
        case "tool-result":
          return `result ${part.toolCallId}: ${"value" in part.output ? String(part.output.value) : ""}`;
        default:
          return `${message.role}: [${part.type}]`;
      }
    });
  });
}

function toStream(answer: ScriptedAnswer): ReadableStream<LanguageModelV4StreamPart> {
  const chunks = toChunks(answer);
  if (answer.drop === undefined && answer.hangs !== true) {
    return simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null });
  }
  const rest = chunks.slice(0, -1);
  return new ReadableStream({
    pull(controller) {
      const next = rest.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (answer.hangs !== true) controller.error(answer.drop);
      else return new Promise<void>(() => undefined);
      return undefined;
    },
  });
}

function toChunks(answer: ScriptedAnswer): LanguageModelV4StreamPart[] {
  const { text, reasoning, calls = [], usage = { input: 10, output: 5 } } = answer;
  const unified = answer.finish ?? (calls.length > 0 ? "tool-calls" : "stop");
  return [
    { type: "stream-start", warnings: [] },
    ...(reasoning === undefined ? [] : toDeltas("reasoning", reasoning)),
    ...(text === undefined ? [] : toDeltas("text", text)),
    ...calls.map(
      ({ id, name, input }): LanguageModelV4StreamPart => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: typeof input === "string" ? input : JSON.stringify(input),
      }),
    ),
    {
      type: "finish",
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: {
          total: usage.input,
          noCache: usage.input,
          cacheRead: usage.cached ?? 0,
          cacheWrite: 0,
        },
        outputTokens: { total: usage.output, text: usage.output, reasoning: 0 },
      },
    },
  ];
}

function toDeltas(kind: "text" | "reasoning", text: string): LanguageModelV4StreamPart[] {
  const half = Math.ceil(text.length / 2);
  return [
    { type: `${kind}-start`, id: kind },
    { type: `${kind}-delta`, id: kind, delta: text.slice(0, half) },
    { type: `${kind}-delta`, id: kind, delta: text.slice(half) },
    { type: `${kind}-end`, id: kind },
  ];
}
