import type { ModelFinish } from "./model-answer.ts";
import type { SentMessage } from "./model-request.ts";
import {
  type Json,
  listAt,
  type ModelWire,
  parsed,
  textOf,
  toEvent,
  type WireAnswer,
  type WireError,
} from "./wire.ts";

/** Anthropic's Messages. */
export const anthropicWire: ModelWire = {
  format: "anthropic",
  handles: (path) => path.endsWith("/messages"),
  readModel: (body) => String(body.model),
  readSystem: (body) => textOf(body.system),
  readMessages: (body) => listAt(body, "messages").flatMap(readMessage),
  readToolNames: (body) => listAt(body, "tools").map(({ name }) => String(name)),
  whole: (answer) => ({
    ...toMessage(answer),
    content: toBlocks(answer),
    stop_reason: reasons[answer.finish],
    usage: toUsage(answer),
  }),
  stream: (answer) => {
    const begun = { ...toMessage(answer), content: [], stop_reason: null };
    const delta = { stop_reason: reasons[answer.finish], stop_sequence: null };
    const events: Json[] = [
      {
        type: "message_start",
        message: { ...begun, usage: { ...toUsage(answer), output_tokens: 0 } },
      },
      ...toBlocks(answer).flatMap((block, index) => toBlockEvents(block, index, answer)),
      { type: "message_delta", delta, usage: { output_tokens: answer.usage.output } },
      { type: "message_stop" },
    ];
    return events.map((event) => toEvent(event, String(event.type)));
  },
  error: toError,
  streamError: (error) => toEvent(toError(error), "error"),
};

const reasons: Record<ModelFinish, string> = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
  other: "unknown",
};

// Results come as parts of what the user says.
function readMessage({ role, content }: Json): SentMessage[] {
  if (typeof content === "string") {
    return [{ role: role === "assistant" ? "assistant" : "user", text: content }];
  }
  return listAt({ content }, "content").flatMap((block) => readBlock(block, role));
}

function readBlock(block: Json, role: unknown): SentMessage[] {
  if (block.type === "tool_result") {
    const text = textOf(block.content);
    return [{ role: "tool", text, results: [{ callId: String(block.tool_use_id), text }] }];
  }
  if (block.type === "tool_use") {
    const { id, name, input } = block;
    const call = { id: String(id), name: String(name), arguments: input };
    return [{ role: "assistant", text: "", calls: [call] }];
  }
  if (role !== "assistant") return [{ role: "user", text: textOf([block]) }];
  return block.type === "text" ? [{ role: "assistant", text: textOf([block]) }] : [];
}

function toMessage({ number, model }: WireAnswer): Json {
  return { id: `msg_${number}`, type: "message", role: "assistant", model, stop_sequence: null };
}

function toBlocks({ reasoning, deltas, calls, number }: WireAnswer): Json[] {
  return [
    ...(reasoning === undefined
      ? []
      : [{ type: "thinking", thinking: reasoning, signature: `signature ${number}` }]),
    ...(deltas.length > 0 ? [{ type: "text", text: deltas.join("") }] : []),
    ...calls.map(({ id, name, arguments: given }) => ({
      type: "tool_use",
      id,
      name,
      input: parsed(given),
    })),
  ];
}

function toBlockEvents(block: Json, index: number, answer: WireAnswer): Json[] {
  return [
    { type: "content_block_start", index, content_block: begin(block) },
    ...toDeltas(block, answer).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function begin(block: Json): Json {
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  if (block.type === "text") return { type: "text", text: "" };
  return { ...block, input: {} };
}

function toDeltas(block: Json, { deltas, calls }: WireAnswer): Json[] {
  if (block.type === "thinking") {
    return [
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ];
  }
  if (block.type === "text") return deltas.map((text) => ({ type: "text_delta", text }));
  const given = calls.find(({ id }) => id === block.id)?.arguments;
  return [{ type: "input_json_delta", partial_json: given }];
}

function toUsage({ usage }: WireAnswer): Json {
  return {
    // What was there from before counts extra here.
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: usage.output,
  };
}

function toError({ status, message }: WireError): Json {
  return { type: "error", error: { type: typeOf(status), message } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 404) return "not_found_error";
  if (status === 429) return "rate_limit_error";
  if (status === 529) return "overloaded_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}
