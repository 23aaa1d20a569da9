// A model server for the bench, a process of its own: has as many calls made as the prompt asks for, one
// read a request, and ends with a word.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

let made = 0;

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** What a prompt asks for: `spawn:50x10 wanted:20` is 50 agents of 10 reads in the background, then 20 reads. */
const pattern = /(?:spawn:(\d+)x(\d+) )?wanted:(\d+)/u;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { messages } = JSON.parse(Buffer.concat(parts).toString()) as {
      messages: readonly ChatMessage[];
    };
    const textOf = ({ content }: ChatMessage): string => JSON.stringify(content ?? "");
    const last = messages.findLastIndex(
      (message) => message.role === "user" && pattern.test(textOf(message)),
    );
    const asked = pattern.exec(textOf(messages[last] as ChatMessage));
    const [children, childReads, reads] = (asked ?? []).slice(1).map((part) => Number(part ?? 0));
    const done = messages.slice(last + 1).filter(({ role }) => role === "tool").length;
    answer(response, chooseCalls(done, { children, childReads, reads }));
  });
});

interface Wanted {
  readonly children: number | undefined;
  readonly childReads: number | undefined;
  readonly reads: number | undefined;
}

interface Call {
  readonly name: string;
  readonly arguments: object;
}

function chooseCalls(done: number, { children = 0, childReads = 0, reads = 0 }: Wanted): Call[] {
  if (done < children) {
    const prompt = `wanted:${childReads}`;
    const task = { subagent_type: "general", prompt, background: true };
    return Array.from({ length: children }, () => ({ name: "task", arguments: task }));
  }
  const read = done - children;
  return read < reads ? [{ name: "read", arguments: { path: `file-${read % 20}.txt` } }] : [];
}

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function answer(response: ServerResponse, calls: readonly Call[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, finish: string | null = null): void => {
    const chunk = {
      id: "c",
      object: "chat.completion.chunk",
      created: 0,
      model: "bench",
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: "assistant", content: "Let me see. " });
  for (const [index, { name, arguments: args }] of calls.entries()) {
    const call = { name, arguments: JSON.stringify(args) };
    const id = `call-${++made}`;
    send({ tool_calls: [{ index, id, type: "function", function: call }] });
  }
  send({}, calls.length === 0 ? "stop" : "tool_calls");
  response.end("data: [DONE]\n\n");
}
