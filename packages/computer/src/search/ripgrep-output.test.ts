import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RipgrepOutput } from "./ripgrep-output.ts";

describe("RipgrepOutput", () => {
  const take = (bytes: Buffer, size: number): string[] => {
    const lines: string[] = [];
    const output = new RipgrepOutput(({ path, line, offset, isMatch, text }) => {
      lines.push(`${path} ${line} ${offset} ${isMatch} ${text}`);
    });
    for (let at = 0; at < bytes.length; at += size) output.add(bytes.subarray(at, at + size));
    return lines;
  };
  const printed = [
    "./a\0" + "1-0-near: 3:4:\n",
    "./a\0" + "2:9:match-1\n",
    './a: WARNING: stopped searching binary file after match (found "\\0" byte around offset 70000)\n',
    "./b:\n-1\0" + "12:345:\n",
    './b:\n-1: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n',
  ].join("");

  it("takes lines apart, in pieces of any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (size) => {
        expect(take(Buffer.from(printed), size)).toEqual([
          "./a 1 0 false near: 3:4:",
          "./a 2 9 true match-1",
          "./b:\n-1 12 345 true ",
        ]);
      }),
    );
  });
});
