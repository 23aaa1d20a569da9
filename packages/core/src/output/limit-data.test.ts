import { utf8Length } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitData } from "./limit-data.ts";

describe("limitData", () => {
  it.each([
    ["a text of just the size", "x".repeat(10), { bytes: 10 }],
    ["data of just the size", { a: "xx" }, { bytes: 10 }],
    ["a field of just the size", { out: "x".repeat(10) }, { bytes: 10, field: "out" }],
    ["entries of just the number", { files: ["a", "b"] }, { entries: 2, field: "files" }],
    ["data without the field", { other: "x".repeat(50) }, { bytes: 10, field: "out" }],
    ["a field that is no text", { out: 5 }, { bytes: 1, field: "out" }],
    ["entries that are no list", { files: "abc" }, { entries: 1, field: "files" }],
    ["nothing", null, { bytes: 10, field: "out" }],
  ])("leaves %s as it is", (_, data, limit) => {
    expect(limitData(data, limit)).toEqual({ data, whole: undefined });
  });

  it("cuts a text to its head", () => {
    expect(limitData("x".repeat(11), { bytes: 10 })).toEqual({
      data: { head: "x".repeat(10) },
      whole: "x".repeat(11),
    });
  });

  it("cuts the named field and keeps the others", () => {
    const data = { out: "abcdef", code: 0 };
    expect(limitData(data, { bytes: 3, field: "out" })).toEqual({
      data: { out: "abc", code: 0 },
      whole: "abcdef",
    });
  });

  it("cuts entries to their number and keeps all of them as lines", () => {
    const data = { files: ["a", { b: 1 }, "c"], total: 3 };
    expect(limitData(data, { entries: 2, field: "files" })).toEqual({
      data: { files: ["a", { b: 1 }], total: 3 },
      whole: 'a\n{"b":1}\nc',
    });
  });

  it("cuts any other data to the head of its JSON", () => {
    const data = { a: "x".repeat(20) };
    const limited = limitData(data, { bytes: 12 });
    expect(limited.whole).toBe(JSON.stringify(data, undefined, 2));
    expect(limited.data).toEqual({ head: limited.whole?.slice(0, 12) });
  });

  it("does not let the fields beside the named one grow without end", () => {
    const data = { out: "short", rest: "x".repeat(300 * 1024) };
    const limited = limitData(data, { bytes: 1024, field: "out" });
    expect(Object.keys(limited.data as object)).toEqual(["head"]);
    expect(JSON.parse(limited.whole as string)).toEqual(data);
  });

  it("does not count the bytes of pictures, unless they are beyond all measure", () => {
    const picture = (bytes: number) => ({ type: "image", data: "x".repeat(bytes) });
    const data = { content: [picture(2 ** 20), { type: "text", text: "short" }] };
    expect(limitData(data, { bytes: 200 })).toEqual({ data, whole: undefined });
    expect(limitData(picture(2 ** 24), { bytes: 200 }).whole).toBeDefined();
    expect(limitData({ type: "text", data: "x".repeat(300) }, { bytes: 200 }).whole).toBeDefined();
  });

  it("limits the size of a few long entries", () => {
    const limited = limitData({ files: ["x".repeat(2 ** 21)] }, { entries: 5, field: "files" });
    expect(utf8Length(JSON.stringify(limited.data))).toBeLessThan(2 ** 21);
    expect(limited.whole).toBeDefined();
  });

  it("keeps within the limit and never cuts a character in two", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, fc.nat({ max: 60 }), (text, bytes) => {
        const { data } = limitData({ out: text }, { bytes, field: "out" });
        const { out } = data as { out: string };
        expect(utf8Length(out)).toBeLessThanOrEqual(bytes);
        expect(text.startsWith(out)).toBe(true);
        expect(out.isWellFormed()).toBe(text.isWellFormed());
        const next = String.fromCodePoint(text.codePointAt(out.length) ?? 0);
        if (out !== text) expect(utf8Length(out + next)).toBeGreaterThan(bytes);
      }),
    );
  });
});
