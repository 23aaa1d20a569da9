import type { Readable } from "node:stream";

/** Parses each line of a stream as JSON and passes it on. */
export function readLines<Message>(stream: Readable, onMessage: (message: Message) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = text.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    for (const line of lines) onMessage(JSON.parse(line) as Message);
  });
}
