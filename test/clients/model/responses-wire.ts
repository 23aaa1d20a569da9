import {
  type Json,
  listAt,
  type ModelAnswer,
  type ModelWire,
  type OfferedTool,
  textOf,
  toEvent,
} from "./wire.ts";

/** OpenAI Responses, as Codex speaks it. */
export const responsesWire: ModelWire = {
  handles: (path) => path.endsWith("/responses"),
  read: (body) => ({
    tools: listAt(body, "tools").flatMap((tool) => readTool(tool)),
    results: listAt(body, "input")
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => textOf(output)),
  }),
  whole: (answer) => toResponse([toItem(answer)]),
  stream: (answer) => {
    const item = toItem(answer);
    const events: Json[] = [
      { type: "response.created", response: { ...toResponse([]), status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: toResponse([item]) },
    ];
    return events.map((event) => toEvent(event, String(event.type)));
  },
};

// A server's tools come as a namespace of their own.
function readTool(tool: Json): OfferedTool[] {
  if (tool.type !== "namespace") {
    return [{ name: String(tool.name ?? tool.type), parameters: tool.parameters }];
  }
  return listAt(tool, "tools").map(({ name, parameters }) => ({
    name: `${tool.name}/${name}`,
    parameters,
  }));
}

function toItem(answer: ModelAnswer): Json {
  if (!("call" in answer)) {
    const content = [{ type: "output_text", text: answer.text, annotations: [] }];
    return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  }
  const { id, name, arguments: given } = answer.call;
  const [namespace, own] = name.includes("/") ? name.split("/") : [undefined, name];
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    status: "completed",
    name: own,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(given),
  };
}

function toResponse(output: readonly Json[]): Json {
  return {
    id: "resp_1",
    object: "response",
    created_at: 0,
    model: "scripted",
    status: "completed",
    output,
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  };
}
