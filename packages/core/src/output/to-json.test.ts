import { utf8Length } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundJsonSize, toJson } from "./to-json.ts";

describe("boundJsonSize", () => {
  it("is never below what the data takes as JSON", () => {
    const text = fc.string({ unit: "binary" });
    const json = fc.oneof(
      fc.jsonValue({ stringUnit: "binary" }),
      fc.dictionary(text, text),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(json, (data) => {
        expect(boundJsonSize(data)).toBeGreaterThanOrEqual(utf8Length(JSON.stringify(data)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([-0.0000015452285779874662, -1.7976931348623157e308])("has room for %d", (number) => {
    expect(boundJsonSize(number)).toBeGreaterThanOrEqual(JSON.stringify(number).length);
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a property that is undefined", { a: undefined }],
    ["a number that is none", [Number.NaN]],
    ["a big integer", 1n],
    ["a function", () => {}],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a class", new (class Point {})()],
    ["a hole in an array", new Array(1)],
    ["something that turns itself into JSON", { toJSON: () => "x" }],
  ])("does not treat %s as plain JSON", (_, data) => {
    expect(boundJsonSize(data)).toBeUndefined();
  });

  it("gives up on cyclic values", () => {
    const loop: unknown[] = [];
    loop.push(loop, loop);
    expect(boundJsonSize(loop)).toBeUndefined();
  });

  it("treats an object without a prototype as plain", () => {
    expect(boundJsonSize(Object.assign(Object.create(null), { a: 1 }))).toBeGreaterThan(0);
  });
});

describe("toJson", () => {
  it.each<[string, unknown, unknown]>([
    ["undefined", undefined, null],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a map", new Map([["a", 1]]), {}],
    ["a number that is none", Number.NaN, null],
    ["a property that is undefined", { a: undefined, b: 1 }, { b: 1 }],
    ["something that turns itself into JSON", { toJSON: () => "x" }, "x"],
  ])("makes of %s what JSON makes of it", (_, data, json) => {
    expect(toJson(data, "tool")).toEqual(json);
  });

  it.each<[string, unknown, string]>([
    ["a big integer", { a: 1n }, "BigInt"],
    ["a function", () => {}, "it is a function"],
    ["a symbol", Symbol("x"), "it is a symbol"],
  ])("refuses %s and names the tool", (_, data, reason) => {
    expect(() => toJson(data, "counter")).toThrow(/^counter returned data that is not JSON: /u);
    expect(() => toJson(data, "counter")).toThrow(reason);
  });

  it("refuses cyclic values", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => toJson(loop, "counter")).toThrow("circular");
  });
});
