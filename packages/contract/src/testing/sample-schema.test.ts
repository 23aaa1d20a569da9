import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../json-schema.ts";
import { sampleSchema } from "./sample-schema.ts";
import { loadSchemaCompiler } from "./schema-compiler.ts";

const property: JsonSchema = { type: "string", minLength: 10 };

describe("sampleSchema", () => {
  it.each<JsonSchema>([
    { type: "object" },
    { type: "object", properties: { a: property, b: { type: "integer", minimum: 5 } } },
    { type: "object", properties: { a: { enum: ["x"] }, b: { const: 2 }, c: { type: "boolean" } } },
    { type: "object", properties: { a: { type: ["number", "null"] }, b: { type: "null" } } },
    { type: "object", properties: { a: { type: "array", items: property, minItems: 3 } } },
    { type: "object", properties: { a: { type: "array", prefixItems: [property, {}] } } },
    { type: "object", properties: { a: { anyOf: [{ type: "array" }, property] } } },
    { type: "object", oneOf: [{ properties: { a: property }, required: ["a"] }] },
    { type: "object", properties: { a: { type: "string", pattern: "^z$", default: "z" } } },
  ])("makes values that fit %j", async (schema) => {
    const findMisfit = (await loadSchemaCompiler())(schema);
    expect(sampleSchema(schema).map(findMisfit)).toEqual([undefined, undefined]);
  });

  it("makes one value with all properties and one with the required ones", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "boolean" } },
      required: ["a"],
    };
    expect(sampleSchema(schema)).toEqual([{ a: 1, b: true }, { a: 1 }]);
  });

  it("puts the schema's own examples first", () => {
    expect(sampleSchema({ type: "object", examples: [{ x: 1 }] })[0]).toEqual({ x: 1 });
  });
});
