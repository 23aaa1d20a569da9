import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatJson } from "./format-json.ts";

describe("formatJson", () => {
  it("puts each part on a line of its own", () => {
    const text = '{"a":[1,{"b":[]}],"c":{},"d":"x, [y]: \\"z\\"","e":null}';
    expect(formatJson(text)).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
  });

  it("changes no number and no name", () => {
    const text = '{"big":12345678901234567890,"small":1e-400,"two":1.0,"two":2}';
    expect(formatJson(text).replaceAll(/\s/gu, "")).toBe(text);
  });

  it.each(["", "{", "not json", '{"a":1}\n{"b":2}', "<html>"])("leaves %j as it is", (text) => {
    expect(formatJson(text)).toBe(text);
  });

  it("writes what any writer of JSON writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const pretty = JSON.stringify(value, undefined, 2);
        expect(formatJson(JSON.stringify(value))).toBe(pretty);
        expect(formatJson(pretty)).toBe(pretty);
      }),
    );
  });

  it("makes no page of blanks of many brackets", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(formatJson(deep).length).toBeLessThan(10_000_000);
    const wide = `${"[".repeat(1_000)}${"1,".repeat(500_000)}1${"]".repeat(1_000)}`;
    expect(formatJson(wide).length).toBeLessThan(40_000_000);
  });
});
