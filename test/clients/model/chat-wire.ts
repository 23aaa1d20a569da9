import { type Json, listAt, type ModelAnswer, type ModelWire, textOf, toEvent } from "./wire.ts";

/** OpenAI Chat Completions, as opencode speaks it. */
export const chatWire: ModelWire = {
  handles: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    tools: listAt(body, "tools").map((tool) => {
      const { name, parameters } = tool.function as Json;
      return { name: String(name), parameters };
    }),
    results: listAt(body, "messages")
      .filter(({ role }) => role === "tool")
      .map(({ content }) => textOf(content)),
  }),
  whole: (answer) => ({
    ...toCompletion("chat.completion"),
    choices: [{ index: 0, message: toMessage(answer), finish_reason: reasonOf(answer) }],
    usage,
  }),
  stream: (answer) => {
    const chunk = toCompletion("chat.completion.chunk");
    return [
      toEvent({ ...chunk, choices: [{ index: 0, delta: toMessage(answer), finish_reason: null }] }),
      toEvent({
        ...chunk,
        choices: [{ index: 0, delta: {}, finish_reason: reasonOf(answer) }],
        usage,
      }),
      "data: [DONE]\n\n",
    ];
  },
};

const usage: Json = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function toCompletion(object: string): Json {
  return { id: "chatcmpl_1", object, created: 0, model: "scripted" };
}

function toMessage(answer: ModelAnswer): Json {
  if (!("call" in answer)) return { role: "assistant", content: answer.text };
  const { id, name, arguments: given } = answer.call;
  const call = { name, arguments: JSON.stringify(given) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id, type: "function", function: call }],
  };
}

function reasonOf(answer: ModelAnswer): string {
  return "call" in answer ? "tool_calls" : "stop";
}
