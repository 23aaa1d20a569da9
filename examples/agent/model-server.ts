import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model does when it is asked: call a tool, or say something and end. */
export type ScriptedAnswer = { readonly call: string; readonly with: unknown } | string;

/** A model server on this machine. */
export interface ModelServer {
  /** What to give as `--base-url`. */
  readonly url: string;
  close(): void;
}

/** Serves a model that follows a script, as servers that are compatible with OpenAI's do. */
export async function startModelServer(answers: readonly ScriptedAnswer[]): Promise<ModelServer> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const answer = answers[asked++] ?? "I have nothing more to say.";
      const delta = typeof answer === "string" ? { content: answer } : toToolCalls(answer, asked);
      const finish_reason = typeof answer === "string" ? "stop" : "tool_calls";
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(toEvent({ choices: [{ index: 0, delta, finish_reason: null }] }));
      response.write(toEvent({ choices: [{ index: 0, delta: {}, finish_reason }] }));
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

function toToolCalls(answer: Exclude<ScriptedAnswer, string>, number: number): object {
  const called = { name: answer.call, arguments: JSON.stringify(answer.with) };
  return { tool_calls: [{ index: 0, id: `call-${number}`, type: "function", function: called }] };
}

function toEvent(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
