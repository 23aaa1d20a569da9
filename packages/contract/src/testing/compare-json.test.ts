import { describe, expect, it } from "vitest";
import { findLossInJson, findMissing } from "./compare-json.ts";

describe("findLossInJson", () => {
  it.each([null, "text", 0, -0, false, [], [1, [2]], {}, { a: { b: [null, ""] } }])(
    "finds none in %j",
    (value) => {
      expect(findLossInJson(value)).toBeUndefined();
    },
  );

  class Point {
    x = 1;
  }

  it.each<[unknown, string]>([
    [undefined, "undefined is not JSON"],
    [() => 1, "function is not JSON"],
    [{ a: undefined }, "data.a: expected undefined, got nothing"],
    [{ a: [1, undefined] }, "data.a.1: expected undefined, got null"],
    [{ a: Number.NaN }, "data.a: expected NaN, got null"],
    [
      { when: new Date(0) },
      'data.when: expected "1970-01-01T00:00:00.000Z", got "1970-01-01T00:00:00.000Z"',
    ],
    [{ all: new Map([[1, 2]]) }, "data.all: not a plain object"],
    [{ bytes: new Uint8Array(1) }, "data.bytes: not a plain object"],
    [new Point(), "data: not a plain object"],
    [{ toJSON: () => [1] }, "data: one is an array, the other an object"],
  ])("finds it in %o", (value, difference) => {
    expect(findLossInJson(value)).toBe(difference);
  });

  it("throws what JSON throws for what it can't write", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => findLossInJson(cycle)).toThrow(TypeError);
    expect(() => findLossInJson({ big: 1n })).toThrow(TypeError);
  });
});

describe("findMissing", () => {
  it("lets objects have more than expected, at any depth", () => {
    expect(findMissing({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }], d: 3 })).toBeUndefined();
  });

  it.each<[unknown, unknown, string]>([
    [{ a: 1 }, {}, "data.a: expected 1, got nothing"],
    [{ a: 1 }, { a: "1" }, 'data.a: expected 1, got "1"'],
    [{ a: [1] }, { a: [1, 2] }, "data.a: expected 1 items, got 2"],
    [{ a: [1] }, { a: { 0: 1 } }, "data.a: one is an array, the other an object"],
    [{ a: {} }, { a: null }, "data.a: expected {}, got null"],
    [{ toString: 1 }, {}, "data.toString: expected 1, got nothing"],
  ])("finds what %j expects and %j lacks", (expected, actual, difference) => {
    expect(findMissing(expected, actual)).toBe(difference);
  });
});
