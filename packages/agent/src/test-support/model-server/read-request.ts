import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { joinMessages } from "./join-messages.ts";
import type { ModelRequest, SentMessage } from "./model-request.ts";
import type { Json, ModelWire } from "./wire.ts";

/** Reads what a model is asked. What is said in it is looked at when somebody asks for it. */
export async function readRequest(
  request: IncomingMessage,
  wire: ModelWire,
): Promise<ModelRequest> {
  const url = new URL(request.url ?? "", "http://model");
  const body = JSON.parse(await text(request)) as Json;
  let messages: readonly SentMessage[] | undefined;
  const asked: ModelRequest = {
    format: wire.format,
    model: wire.readModel(body, url.pathname),
    path: url.pathname,
    headers: request.headers,
    body,
    isStreamed: body.stream === true || url.searchParams.get("alt") === "sse",
    get system() {
      return wire.readSystem(body);
    },
    get messages() {
      messages ??= joinMessages(wire.readMessages(body));
      return messages;
    },
    get toolNames() {
      return wire.readToolNames(body);
    },
    get lastText() {
      return asked.messages.at(-1)?.text ?? "";
    },
  };
  return asked;
}
