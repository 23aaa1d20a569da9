import { type Json, listAt, type ModelAnswer, type ModelWire, textOf, toEvent } from "./wire.ts";

/** Anthropic Messages, as Claude Code speaks it. */
export const anthropicWire: ModelWire = {
  handles: (path) => path.endsWith("/v1/messages"),
  read: (body) => ({
    tools: listAt(body, "tools").map(({ name, input_schema }) => ({
      name: String(name),
      parameters: input_schema,
    })),
    results: listAt(body, "messages")
      .flatMap((message) => listAt(message, "content"))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
  }),
  whole: (answer) => ({ ...message, content: [toBlock(answer)], stop_reason: reasonOf(answer) }),
  stream: (answer) => {
    const block = toBlock(answer);
    const start = "call" in answer ? { ...block, input: {} } : { ...block, text: "" };
    const delta =
      "call" in answer
        ? { type: "input_json_delta", partial_json: JSON.stringify(answer.call.arguments) }
        : { type: "text_delta", text: answer.text };
    const events: Json[] = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: reasonOf(answer), stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ];
    return events.map((event) => toEvent(event, String(event.type)));
  },
};

const message: Json = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "scripted",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

function toBlock(answer: ModelAnswer): Json {
  if (!("call" in answer)) return { type: "text", text: answer.text };
  const { id, name, arguments: input } = answer.call;
  return { type: "tool_use", id, name, input };
}

function reasonOf(answer: ModelAnswer): string {
  return "call" in answer ? "tool_use" : "end_turn";
}
