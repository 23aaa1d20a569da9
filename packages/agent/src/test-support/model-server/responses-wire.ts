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

/** OpenAI's Responses, of a server that keeps nothing: what was said has to be sent again. */
export const responsesWire: ModelWire = {
  format: "responses",
  handles: (path) => path.endsWith("/responses"),
  readModel: (body) => String(body.model),
  readSystem: (body) =>
    [
      ...(typeof body.instructions === "string" ? [body.instructions] : []),
      ...listAt(body, "input")
        .filter(isSystem)
        .map(({ content }) => textOf(content)),
    ].join("\n\n"),
  readMessages: (body) =>
    typeof body.input === "string"
      ? [{ role: "user", text: body.input }]
      : listAt(body, "input").flatMap(readItem),
  readToolNames: (body) => listAt(body, "tools").map(({ name, type }) => String(name ?? type)),
  whole: (answer, body) => toResponse(answer, toItems(answer, body)),
  stream: (answer, body) => {
    const items = toItems(answer, body);
    const response = toResponse(answer, items);
    const begun = { ...toResponse(answer, []), status: "in_progress", usage: null };
    return [
      { type: "response.created", response: begun },
      ...items.flatMap((item, index) => toItemEvents(item, index, answer)),
      {
        type: response.status === "completed" ? "response.completed" : "response.incomplete",
        response,
      },
    ].map((event: Json, index) =>
      toEvent({ ...event, sequence_number: index }, String(event.type)),
    );
  },
  error: toError,
  streamError: (error) =>
    toEvent(
      { type: "error", sequence_number: 0, ...codeOf(error), message: error.message },
      "error",
    ),
};

function isSystem({ role }: Json): boolean {
  return role === "system" || role === "developer";
}

function readItem(item: Json): SentMessage[] {
  if (item.type === "function_call") {
    const { call_id, name, arguments: given } = item;
    const call = { id: String(call_id), name: String(name), arguments: parsed(String(given)) };
    return [{ role: "assistant", text: "", calls: [call] }];
  }
  if (item.type === "custom_tool_call") {
    const { call_id, name, input } = item;
    const call = { id: String(call_id), name: String(name), arguments: input };
    return [{ role: "assistant", text: "", calls: [call] }];
  }
  if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
    const text = textOf(item.output);
    return [{ role: "tool", text, results: [{ callId: String(item.call_id), text }] }];
  }
  if (item.role === "user") return [{ role: "user", text: textOf(item.content) }];
  if (item.role === "assistant") return [{ role: "assistant", text: textOf(item.content) }];
  return [];
}

function toItems(answer: WireAnswer, body: Json): Json[] {
  const { number, reasoning, deltas, calls } = answer;
  const items: Json[] = [];
  if (reasoning !== undefined) {
    const summary = [{ type: "summary_text", text: reasoning }];
    const include = Array.isArray(body.include) ? body.include : [];
    const sealed = include.includes("reasoning.encrypted_content");
    const encrypted_content = sealed ? `sealed ${number}` : null;
    items.push({ type: "reasoning", id: `rs_${number}`, summary, encrypted_content });
  }
  if (deltas.length > 0) {
    const content = [{ type: "output_text", text: deltas.join(""), annotations: [] }];
    const id = `msg_${number}`;
    items.push({ type: "message", id, role: "assistant", status: "completed", content });
  }
  const texts = listAt(body, "tools").filter(({ type }) => type === "custom");
  for (const { id, name, arguments: given } of calls) {
    // A tool that takes plain text is scripted with one argument.
    if (texts.some((tool) => tool.name === name)) {
      const [input] = Object.values(parsed(given) as Json);
      const item = { type: "custom_tool_call", id: `ctc_${id}`, call_id: id, name, input };
      items.push({ ...item, status: "completed" });
      continue;
    }
    const item = { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: given };
    items.push({ ...item, status: "completed" });
  }
  return items;
}

function toItemEvents(item: Json, output_index: number, answer: WireAnswer): Json[] {
  const place = { item_id: item.id, output_index };
  return [
    { type: "response.output_item.added", output_index, item: begin(item) },
    ...toDeltas(item, answer).map((event) => ({ ...event, ...place })),
    { type: "response.output_item.done", output_index, item },
  ];
}

function begin(item: Json): Json {
  if (item.type === "reasoning") return { ...item, summary: [] };
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "custom_tool_call") return { ...item, status: "in_progress", input: "" };
  return { ...item, status: "in_progress", arguments: "" };
}

function toDeltas(item: Json, { reasoning, deltas }: WireAnswer): Json[] {
  if (item.type === "reasoning") {
    return [
      { type: "response.reasoning_summary_part.added", summary_index: 0 },
      { type: "response.reasoning_summary_text.delta", summary_index: 0, delta: reasoning },
      { type: "response.reasoning_summary_part.done", summary_index: 0 },
    ];
  }
  if (item.type === "message") {
    return deltas.map((delta) => ({ type: "response.output_text.delta", content_index: 0, delta }));
  }
  if (item.type === "custom_tool_call") {
    return [
      { type: "response.custom_tool_call_input.delta", delta: item.input },
      { type: "response.custom_tool_call_input.done", input: item.input },
    ];
  }
  return [
    { type: "response.function_call_arguments.delta", delta: item.arguments },
    { type: "response.function_call_arguments.done", arguments: item.arguments },
  ];
}

function toResponse({ number, model, usage, finish }: WireAnswer, output: readonly Json[]): Json {
  const reason = {
    length: "max_output_tokens",
    "content-filter": "content_filter",
    other: "other",
  };
  const incomplete = finish === "stop" || finish === "tool-calls" ? undefined : reason[finish];
  return {
    id: `resp_${number}`,
    object: "response",
    created_at: 0,
    model,
    status: incomplete === undefined ? "completed" : "incomplete",
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}

function toError(error: WireError): Json {
  return { error: { message: error.message, type: typeOf(error), param: null, ...codeOf(error) } };
}

function typeOf({ status }: WireError): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

function codeOf({ status }: WireError): Json {
  if (status === 429) return { code: "rate_limit_exceeded" };
  return { code: status < 500 ? "invalid_request" : "server_error" };
}
