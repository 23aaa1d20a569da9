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

/** OpenAI's Chat Completions, which local model servers speak too. */
export const chatWire: ModelWire = {
  format: "chat",
  handles: (path) => path.endsWith("/chat/completions"),
  readModel: (body) => String(body.model),
  readSystem: (body) =>
    listAt(body, "messages")
      .filter(isSystem)
      .map(({ content }) => textOf(content))
      .join("\n\n"),
  readMessages: (body) =>
    listAt(body, "messages")
      .filter((message) => !isSystem(message))
      .map(readMessage),
  readToolNames: (body) =>
    listAt(body, "tools").map((tool) => String(objectAt(tool, "function").name)),
  whole: (answer) => ({
    ...toCompletion(answer, "chat.completion"),
    choices: [{ index: 0, message: toMessage(answer), finish_reason: reasons[answer.finish] }],
    usage: toUsage(answer),
  }),
  stream: (answer) => {
    const chunk = toCompletion(answer, "chat.completion.chunk");
    const toChunk = (delta: Json): string =>
      toEvent({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
    return [
      toChunk({ role: "assistant", content: "" }),
      ...(answer.reasoning === undefined ? [] : [toChunk({ reasoning_content: answer.reasoning })]),
      ...answer.deltas.map((content) => toChunk({ content })),
      ...toCalls(answer).map((call) => toChunk({ tool_calls: [call] })),
      toEvent({
        ...chunk,
        choices: [{ index: 0, delta: {}, finish_reason: reasons[answer.finish] }],
        usage: toUsage(answer),
      }),
      "data: [DONE]\n\n",
    ];
  },
  error: toError,
  streamError: (error) => toEvent(toError(error)),
};

const reasons: Record<ModelFinish, string> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  other: "unknown",
};

function isSystem({ role }: Json): boolean {
  return role === "system" || role === "developer";
}

function readMessage(message: Json): SentMessage {
  const text = textOf(message.content);
  if (message.role === "tool") {
    return { role: "tool", text, results: [{ callId: String(message.tool_call_id), text }] };
  }
  if (message.role !== "assistant") return { role: "user", text };
  const calls = listAt(message, "tool_calls").map((call) => {
    const { name, arguments: given } = objectAt(call, "function");
    return { id: String(call.id), name: String(name), arguments: parsed(String(given)) };
  });
  return { role: "assistant", text, ...(calls.length > 0 && { calls }) };
}

function toCompletion({ number, model }: WireAnswer, object: string): Json {
  return { id: `chatcmpl_${number}`, object, created: 0, model };
}

function toMessage(answer: WireAnswer): Json {
  return {
    role: "assistant",
    content: answer.deltas.length > 0 ? answer.deltas.join("") : null,
    ...(answer.reasoning !== undefined && { reasoning_content: answer.reasoning }),
    ...(answer.calls.length > 0 && { tool_calls: toCalls(answer) }),
  };
}

function toCalls({ calls }: WireAnswer): Json[] {
  return calls.map(({ id, name, arguments: given }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: given },
  }));
}

function toUsage({ usage }: WireAnswer): Json {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

function toError({ status, message }: WireError): Json {
  return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error" } };
}
