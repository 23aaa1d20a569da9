import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFrameReader, toFrame } from "./message-frames.ts";

function read(chunks: readonly Uint8Array[]): { messages: unknown[]; noise: string } {
  const messages: unknown[] = [];
  let noise = "";
  const take = createFrameReader({
    message: (body) => messages.push(JSON.parse(body)),
    noise: (text) => {
      noise += text;
    },
  });
  for (const chunk of chunks) take(chunk);
  return { messages, noise };
}

describe("message frames", () => {
  it("come out as they went in, however they are cut", () => {
    const word = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(fc.array(word), fc.array(fc.nat(50)), (words, cuts) => {
        const bytes = Buffer.concat(words.map((text) => toFrame({ text })));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        expect(read(chunks)).toEqual({ messages: words.map((text) => ({ text })), noise: "" });
      }),
    );
  });

  it("are found among other things, which are told apart", () => {
    const noise = Buffer.from("Starting…\nlength: 3\n");
    const frame = Buffer.from("content-length:   2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}");
    expect(read([noise, frame, frame, noise, toFrame({ a: 1 })])).toEqual({
      messages: [{}, {}, { a: 1 }],
      noise: `${noise}${noise}`,
    });
  });

  it("do not keep noise without end", () => {
    const { messages, noise } = read([
      ...Array.from({ length: 100 }, () => Buffer.from("x".repeat(1_000))),
      Buffer.from(`Content-Length: 1${"y".repeat(10_000)}`),
      Buffer.from("\n"),
      toFrame([1]),
    ]);
    expect(messages).toEqual([[1]]);
    expect(noise.length).toBeGreaterThan(100_000);
  });

  it("are refused if they are too long", () => {
    expect(() => read([Buffer.from("Content-Length: 99999999999\r\n\r\n")])).toThrow(
      "exceeds the maximum",
    );
  });
});
