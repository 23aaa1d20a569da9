import type { ModelFinish } from "./model-answer.ts";
import type { SentMessage } from "./model-request.ts";
import {
  type Json,
  listAt,
  type ModelWire,
  objectAt,
  parsed,
  textOf,
  toEvent,
  type WireAnswer,
  type WireError,
} from "./wire.ts";

/** Gemini's generateContent. */
export const geminiWire: ModelWire = {
  format: "gemini",
  handles: (path) => /:(?:streamG|g)enerateContent$/u.test(path),
  readModel: (_body, path) => /models\/(.+):/u.exec(path)?.[1] ?? "",
  readSystem: (body) => textOf(listAt(body.systemInstruction, "parts")),
  readMessages: (body) => listAt(body, "contents").flatMap(readContent),
  readToolNames: (body) =>
    listAt(body, "tools")
      .flatMap((tool) => listAt(tool, "functionDeclarations"))
      .map(({ name }) => String(name)),
  whole: (answer) => toResponse(answer, toParts(answer), true),
  stream: (answer) => {
    const parts = toParts(answer);
    const chunks = parts.map((part, index) =>
      toResponse(answer, [part], index === parts.length - 1),
    );
    return (chunks.length > 0 ? chunks : [toResponse(answer, [], true)]).map((one) => toEvent(one));
  },
  error: toError,
  streamError: (error) => toEvent(toError(error)),
};

const reasons: Record<ModelFinish, string> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  "tool-calls": "STOP",
  other: "OTHER",
};

// Results come as parts of what the user says.
function readContent({ role, parts }: Json): SentMessage[] {
  return listAt({ parts }, "parts").flatMap((part) => readPart(part, role));
}

function readPart(part: Json, role: unknown): SentMessage[] {
  if (part.functionResponse !== undefined) {
    const { id, name, response } = objectAt(part, "functionResponse");
    const { error, content } = response as Json;
    const text = textOf(error ?? content);
    return [{ role: "tool", text, results: [{ callId: String(id ?? name), text }] }];
  }
  if (part.functionCall !== undefined) {
    const { id, name, args } = objectAt(part, "functionCall");
    const call = { id: String(id ?? name), name: String(name), arguments: args };
    return [{ role: "assistant", text: "", calls: [call] }];
  }
  if (part.thought === true) return [];
  const text = typeof part.text === "string" ? part.text : `[${Object.keys(part)[0]}]`;
  return [{ role: role === "model" ? "assistant" : "user", text }];
}

function toParts({ reasoning, deltas, calls, number }: WireAnswer): Json[] {
  return [
    ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
    ...deltas.map((text) => ({ text })),
    ...calls.map(({ id, name, arguments: given }, index) => ({
      functionCall: { id, name, args: parsed(given) },
      // Only the first call of an answer is signed.
      ...(index === 0 && { thoughtSignature: `signature ${number}` }),
    })),
  ];
}

function toResponse(answer: WireAnswer, parts: readonly Json[], isLast: boolean): Json {
  const { number, model, usage, finish } = answer;
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts },
        ...(isLast && { finishReason: reasons[finish] }),
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      cachedContentTokenCount: usage.cached,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: model,
    responseId: `response_${number}`,
  };
}

function toError({ status, message }: WireError): Json {
  return { error: { code: status, message, status: statusOf(status) } };
}

function statusOf(status: number): string {
  if (status === 401) return "UNAUTHENTICATED";
  if (status === 404) return "NOT_FOUND";
  if (status === 429) return "RESOURCE_EXHAUSTED";
  if (status === 503) return "UNAVAILABLE";
  return status < 500 ? "INVALID_ARGUMENT" : "INTERNAL";
}
