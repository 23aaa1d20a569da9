import type { JsonValue } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitData } from "./fit-data.ts";

const limit = { bytes: 4_000 };

describe("fitData", () => {
  it.each<[string, JsonValue]>([
    ["a short text", "x".repeat(4_000)],
    ["short data", { output: "x".repeat(2_900), exit_code: 0 }],
    ["a picture", { type: "image", media_type: "image/png", data: "x".repeat(9_000) }],
    ["nothing", null],
  ])("leaves %s as it is", (_, data) => {
    expect(fitData(data, limit)).toEqual({ data, whole: undefined });
  });

  it("leaves out the middle of the longest text and keeps the other fields", () => {
    const output = `first\n${"x".repeat(9_000)}\nlast`;
    const { data, whole } = fitData({ output, exit_code: 3 }, limit);
    expect(whole).toBe(output);
    expect(data).toMatchObject({ exit_code: 3 });
    expect((data as { output: string }).output).toMatch(/^first\n.*bytes left out here.*\nlast$/su);
  });

  it("leaves out the end of a list, and counts a path that repeats once", () => {
    const path = `/w/${"p".repeat(200)}`;
    const matches = Array.from({ length: 60 }, (_, at) => ({ path, line: at + 1, text: "hit" }));
    expect(fitData({ matches }, limit).whole).toBeUndefined();
    const many = Array.from({ length: 600 }, (_, at) => ({ path, line: at + 1, text: "hit" }));
    const { data, whole } = fitData({ matches: many, message: "600" }, limit);
    const kept = (data as { matches: unknown[] }).matches;
    expect(kept).toEqual(many.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(60);
    expect(whole?.split("\n")).toHaveLength(600);
  });

  it("shows the head of a list whose first entry is too long", () => {
    const text = `first ${"x".repeat(9_000)}`;
    const { data, whole } = fitData({ content: [{ type: "text", text }] }, limit);
    expect(whole).toBe(text);
    expect(data).toEqual({ head: expect.stringMatching(/^first /u) });
  });

  it("keeps any data within its limits, and says when something is missing", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 3_000 });
    const value = fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 20 }));
    const data = fc.oneof(text, fc.dictionary(fc.constantFrom("a", "b", "c"), value));
    const limits = fc.record({ bytes: fc.integer({ min: 1_000, max: 5_000 }) });
    fc.assert(
      fc.property(data, limits, (sample, room) => {
        const fitted = fitData(sample, room);
        const parts = typeof fitted.data === "string" ? [fitted.data] : leavesOf(fitted.data);
        const size = parts.reduce((sum, part) => sum + utf8Length(part), 0);
        expect(size).toBeLessThanOrEqual(room.bytes);
        expect(fitted.whole === undefined).toBe(
          fitted.data === sample || same(fitted.data, sample),
        );
      }),
    );
  });

  it("keeps within a number of lines", () => {
    const output = Array.from({ length: 900 }, (_, at) => `${at}`).join("\n");
    const { data } = fitData({ output }, { bytes: 30_000, lines: 100 });
    const lines = (data as { output: string }).output.split("\n");
    expect(lines.length).toBeLessThanOrEqual(100);
    expect([lines[0], lines.at(-1)]).toEqual(["0", "899"]);
  });
});

function leavesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
