import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { LineTransport } from "./line-transport.ts";

async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output);
  const heard: unknown[] = [];
  transport.onmessage = (message) => heard.push(message);
  await transport.start();
  const answers = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const text: string = output.read()?.toString() ?? "";
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { id: unknown; error: { code: number } });
  };
  return { input, output, transport, heard, answers };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("messages as lines", () => {
  it("are put together and taken apart wherever a chunk ends", async () => {
    const { input, heard, answers } = await open();
    const lines = `${JSON.stringify({ ...ping, id: "é" })}\r\n\n${JSON.stringify(ping)}\n`;
    for (const byte of Buffer.from(lines)) input.write(Buffer.of(byte));
    expect(await answers()).toEqual([]);
    expect(heard).toEqual([{ ...ping, id: "é" }, ping]);
  });

  it.each([
    ["{", null, -32700],
    ["\u0000\u0001", null, -32700],
    ["[]", null, -32600],
    ["null", null, -32600],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600],
    ['{"jsonrpc":"2.0","id":7,"method":5}', 7, -32600],
    ['{"jsonrpc":"2.0","id":7,"method":"a","params":[1]}', 7, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"a"}', null, -32600],
    ['{"jsonrpc":"2.0","id":7}', 7, -32600],
  ])("%s is answered with an error, and what follows is heard", async (line, id, code) => {
    const { input, heard, answers } = await open();
    input.write(`${line}\n${JSON.stringify(ping)}\n`);
    expect(await answers()).toMatchObject([{ id, error: { code } }]);
    expect(heard).toEqual([ping]);
  });

  it("are answered with an error when they are too long, without being kept", async () => {
    const { input, heard, answers } = await open();
    const part = Buffer.alloc(1024 * 1024, "x");
    for (let count = 0; count < 30; count++) input.write(part);
    input.write(`\n${JSON.stringify(ping)}\n`);
    expect(await answers()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(heard).toEqual([ping]);
  });

  it("wait for a reader that is slow", async () => {
    const { transport, output } = await open();
    const long = { jsonrpc: "2.0", method: "x", params: { text: "x".repeat(100_000) } } as const;
    let sent = false;
    const sending = transport.send(long).then(() => {
      sent = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(false);
    output.resume();
    await sending;
  });

  it.each(["end", "broken output"])("come to an end with %s", async (how) => {
    const { input, output, transport } = await open();
    input.resume();
    if (how === "end") input.end();
    else output.destroy(new Error("EPIPE"));
    await transport.closed;
    await expect(transport.send(ping as never)).rejects.toThrow("disconnected");
  });
});
