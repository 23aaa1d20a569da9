import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What a model says or wants called. */
export type ChatAnswer =
  | { readonly text: string }
  | { readonly call: string; readonly arguments: object };

/** A model on loopback that answers these one after the other, until the test ends. */
export interface ChatServer {
  /** Options of `haft agent` that lead to it. */
  readonly options: readonly string[];
  /** What was asked, as JSON. */
  readonly requests: readonly string[];
}

/** Starts a model that speaks chat completions. */
export async function startChatServer(answers: readonly ChatAnswer[]): Promise<ChatServer> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(JSON.stringify(await json(request)));
    const answer = answers[requests.length - 1] ?? { text: "Nothing more." };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish: string | null): void => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    if ("text" in answer) send({ role: "assistant", content: answer.text }, null);
    else {
      const call = { name: answer.call, arguments: JSON.stringify(answer.arguments) };
      const id = `call-${requests.length}`;
      send({ tool_calls: [{ index: 0, id, type: "function", function: call }] }, null);
    }
    send({}, "text" in answer ? "stop" : "tool_calls");
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  return { options: ["--model", "openai-compatible/m", "--base-url", url], requests };
}
