import { describe, expect, it } from "vitest";
import { createInputValidator } from "./input-validator.ts";
import { compilePattern, isSafePattern } from "./schema-pattern.ts";

describe("a pattern of a schema", () => {
  it.each([
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$",
    "^[A-Z]{2,3}\\d{1,5}$",
    "^\\p{L}+$",
    "(a+)+$",
  ])("is let pass: %s", (pattern) => {
    expect(isSafePattern(pattern)).toBe(true);
  });

  it.each([
    "^(([a-z]){1,20}){1,20}$",
    "^(a*)\\1$",
    "(\\p{L}+)+$",
    "(?<x>a)\\k<x>",
    "a".repeat(1001),
  ])("is refused: %s", (pattern) => {
    expect(isSafePattern(pattern)).toBe(false);
  });

  // With the usual engine these would take longer than anybody waits.
  it.each([
    ["(a+)+$", `${"a".repeat(100_000)}!`],
    ["(a+)+$", `${"a".repeat(60)}!`],
    ["\\s+$", `${" ".repeat(1_000_000)}x`],
  ])("comes to its end: %s", (pattern, text) => {
    expect(compilePattern(pattern).test(text)).toBe(false);
  });

  it("means the same for short and long texts", () => {
    for (const length of [10, 100_000]) {
      expect(compilePattern("^a+b$").test(`${"a".repeat(length)}b`)).toBe(true);
    }
    expect(compilePattern("^\\p{L}$").test("ü")).toBe(true);
  });
});

describe("createInputValidator", () => {
  const validate = createInputValidator({
    type: "object",
    properties: {
      name: { type: "string", pattern: "^[a-z]+$" },
      tags: { type: "array", items: { type: "object", required: ["key"] } },
      size: { enum: ["s", "m"] },
      code: { type: "string", pattern: "^[0-9]+$" },
    },
    required: ["name"],
    additionalProperties: false,
  });

  it.each([
    [{ name: "ada" }, undefined],
    [{ name: "ada", code: "7" }, undefined],
    [{ name: "ada", code: "x" }, 'code must match pattern "^[0-9]+$"'],
    [{}, "name is missing"],
    [{ name: "ada", colour: 1 }, "colour is not a field of the input schema"],
    [{ name: "ADA" }, 'name must match pattern "^[a-z]+$"'],
    [{ name: "ada", tags: [{}] }, "tags.0.key is missing"],
    [{ name: "ada", size: "l" }, 'size must be one of ["s","m"]'],
  ])("says what is wrong with %j", (input, wrong) => {
    expect(validate(input)).toBe(wrong);
  });
});
