import type { JsonSchema } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { toGeminiSchema } from "./gemini-schema.ts";

function convert(one: JsonSchema): unknown {
  const { properties } = toGeminiSchema({ type: "object", properties: { one } });
  return (properties as { one: unknown }).one;
}

describe("Gemini's dialect", () => {
  it.each<[string, JsonSchema, unknown]>([
    [
      "has one type a schema",
      { type: ["string", "null"], description: "A name.", minLength: 1 },
      { description: "A name.", anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "puts what belongs to a type to that type",
      { type: ["array", "string"], items: { type: "string" }, enum: undefined as never },
      { anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] },
    ],
    ["tells the type of listed values", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    ["lists a constant", { const: 5 }, { type: "integer", enum: [5] }],
    ["lists no booleans", { enum: [true] }, { type: "boolean" }],
    [
      "splits values of several types",
      { enum: ["a", 1, null] },
      {
        anyOf: [{ type: "string", enum: ["a"] }, { type: "integer", enum: [1] }, { type: "null" }],
      },
    ],
    [
      "knows one kind of union",
      {
        oneOf: [
          { type: "string", pattern: "x" },
          { type: "number", exclusiveMinimum: 0 },
        ],
      },
      { anyOf: [{ type: "string" }, { type: "number" }] },
    ],
    ["follows references", { $ref: "#/definitions/x", title: "X" }, { $ref: "#/$defs/x" }],
    [
      "keeps maps",
      { type: "object", additionalProperties: { type: "string", format: "uri" } },
      { type: "object", additionalProperties: { type: "string" } },
    ],
    ["says nothing of what may be anything", {}, {}],
  ])("%s", (_, schema, converted) => {
    expect(convert(schema)).toEqual(converted);
  });

  it("drops what only the session can check, also at the root", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: [{ required: ["a"] }],
      definitions: { x: { type: ["string", "null"] } },
      additionalProperties: false,
    } as const;
    expect(toGeminiSchema(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: false,
      $defs: { x: { anyOf: [{ type: "string" }, { type: "null" }] } },
    });
  });
});
