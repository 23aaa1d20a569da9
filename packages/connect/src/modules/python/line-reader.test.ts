import { describe, expect, it } from "vitest";
import { createLineReader } from "./line-reader.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("createLineReader", () => {
  it("puts lines together however they were cut, also within a character", () => {
    const lines: string[] = [];
    const read = createLineReader((line) => lines.push(line));
    const text = bytes("eins\n\nzwölf\ndr");
    for (const byte of text) read(Uint8Array.of(byte));
    read(bytes("ei\nvier\nfünf"));
    expect(lines).toEqual(["eins", "zwölf", "drei", "vier"]);
  });

  it("keeps what it was lent only for the time of the call", () => {
    const lines: string[] = [];
    const read = createLineReader((line) => lines.push(line));
    const lent = bytes("abc");
    read(lent);
    lent.fill(0);
    read(bytes("\n"));
    expect(lines).toEqual(["abc"]);
  });

  it("refuses a line without end", () => {
    const read = createLineReader(() => {});
    const part = new Uint8Array(8 * 1024 * 1024).fill(120);
    expect(() => {
      for (let at = 0; at < 5; at++) read(part);
    }).toThrow(/a line of more than 33554432 bytes/u);
  });
});
