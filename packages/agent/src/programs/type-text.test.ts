import { describe, expect, it } from "vitest";
import { toTypeText } from "./type-text.ts";

describe("toTypeText", () => {
  it.each<[unknown, string]>([
    [{ type: "string" }, "string"],
    [{ type: ["integer", "null"] }, "number | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: true }, "true"],
    [{ type: "array", items: { type: "number" } }, "Array<number>"],
    [{ anyOf: [{ type: "string" }, { type: "boolean" }] }, "string | boolean"],
    [{ type: "object", additionalProperties: false }, "{}"],
    [{ type: "object" }, "{ [key: string]: any }"],
    [undefined, "any"],
    [true, "any"],
    [{ allOf: [{ type: "string" }] }, "any"],
    [{ $ref: "https://example.com/x" }, "any"],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "string"],
  ])("renders %j as %s", (schema, text) => {
    expect(toTypeText(schema)).toBe(text);
  });

  it("renders properties with their descriptions, which can't leave their line", () => {
    const schema = {
      type: "object",
      properties: {
        path: { type: "string", description: "The path.\n}; evil(); {" },
        "a-b": { type: "number" },
      },
      required: ["path"],
      additionalProperties: false,
    };
    expect(toTypeText(schema)).toBe(
      '{\n  path: string; // The path. }; evil(); {\n  "a-b"?: number;\n}',
    );
  });

  it("ends with schemas that refer to themselves, are deep, or are huge", () => {
    expect(toTypeText({ $ref: "#" })).toBe("any");
    const tree = {
      type: "object",
      properties: { left: { $ref: "#" }, right: { $ref: "#" } },
      additionalProperties: false,
    };
    expect(toTypeText(tree).length).toBeLessThan(20_000);
    let deep: unknown = { type: "string" };
    for (let level = 0; level < 50_000; level++) deep = { type: "array", items: deep };
    expect(toTypeText(deep)).toContain("any");
    const names = Array.from({ length: 5_000 }, (_, at) => [`name${at}`, { type: "string" }]);
    expect(toTypeText({ type: "object", properties: Object.fromEntries(names) })).toBe("any");
  });
});
