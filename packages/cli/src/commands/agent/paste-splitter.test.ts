import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPasteSplitter, type TypedPart } from "./paste-splitter.ts";

function splitAll(chunks: readonly string[]): TypedPart[] {
  const split = createPasteSplitter();
  const parts: TypedPart[] = [];
  for (const part of chunks.flatMap(split)) {
    const last = parts.at(-1);
    if (last?.type === "keys" && part.type === "keys") {
      parts.splice(-1, 1, { type: "keys", text: last.text + part.text });
    } else parts.push(part);
  }
  return parts;
}

describe("createPasteSplitter", () => {
  it("tells pasted text from keys", () => {
    expect(splitAll(["a\u001b[200~one\r\ntwo\rthree\u001b[201~b\u001b[A"])).toEqual([
      { type: "keys", text: "a" },
      { type: "paste", text: "one\ntwo\nthree" },
      { type: "keys", text: "b\u001b[A" },
    ]);
  });

  it("passes a lone escape on at once", () => {
    expect(createPasteSplitter()("\u001b")).toEqual([{ type: "keys", text: "\u001b" }]);
  });

  it("splits the same wherever the chunks end, except for a lone escape", () => {
    const whole = "x\u001b[200~pasted\u001b[31m\nlines\u001b[201~y\u001b[200~more\u001b[201~";
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, at) => whole.slice(places[at], end));
        fc.pre(!chunks.some((chunk) => chunk.endsWith("\u001b")));
        expect(splitAll(chunks)).toEqual(splitAll([whole]));
      }),
    );
  });
});
