import type { Readable } from "node:stream";

/** Hands over each line of a stream as the JSON that it is. */
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
