import type { JsonSchema, ObjectSchema } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fits } from "./schema-check.ts";
import { slimSchema } from "./slim-schema.ts";

const names = ["path", "title", "description", "$ref", "__proto__"] as const;

// Few names and small values, so that many values fit and many fail by one keyword only.
const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonSchema | boolean>(true, {}, { type: "string" }, { type: "integer" }),
    fc.record(
      {
        title: fc.constantFrom("Path", "The path", "An answer"),
        description: fc.constantFrom("The path.", "Title", "Absolute."),
        $comment: fc.constant("Made by a program."),
        minLength: fc.integer({ min: 0, max: 2 }),
        minItems: fc.integer({ min: 0, max: 2 }),
        minProperties: fc.integer({ min: 0, max: 2 }),
        uniqueItems: fc.boolean(),
        required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
        enum: fc.constant([{ title: "Path", $comment: "x" }, "a", 1]),
        const: fc.constant({ required: [], title: "Path" }),
        properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), fc.constant({}), tie("schema")),
        items: tie("schema"),
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        not: tie("schema"),
        unevaluatedProperties: fc.constant(false),
        $defs: fc.dictionary(fc.constantFrom("one", "title"), tie("schema"), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonSchema>,
  ),
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("", "a", 0, 1, null, { title: "Path", $comment: "x" }),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names, "other"), tie("value"), { maxKeys: 3 }),
  ),
}));

describe("slimSchema", () => {
  it("accepts the same values", () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 8, maxLength: 8 }), (whole, values) => {
        const root: JsonSchema = { allOf: [whole as JsonSchema] };
        const slimmed = slimSchema(root);
        for (const one of values) {
          outcomes.add(fits(root, one));
          expect(fits(slimmed, one)).toBe(fits(root, one));
        }
      }),
      { numRuns: 200 },
    );
    expect(outcomes.size).toBe(2);
  });

  it("accepts the same values through references", () => {
    const whole: JsonSchema = {
      $defs: { Item: { title: "Item", type: "object", required: [], minProperties: 1 } },
      type: "object",
      properties: { item: { $ref: "#/$defs/Item" } },
    };
    for (const item of [{}, { a: 1 }, 1]) {
      expect(fits(slimSchema(whole), { item })).toBe(fits(whole, { item }));
    }
    expect(slimSchema(whole).$defs).toEqual({ Item: { type: "object", minProperties: 1 } });
  });

  it("keeps what decides which members are unevaluated", () => {
    const whole: JsonSchema = {
      allOf: [{ additionalProperties: true }],
      unevaluatedProperties: false,
    };
    expect(fits(whole, { a: 1 })).toBe(true);
    expect(fits(slimSchema(whole), { a: 1 })).toBe(true);
  });

  it("leaves out what constrains nothing or repeats the name", () => {
    const whole: ObjectSchema = {
      title: "read_fileArguments",
      type: "object",
      properties: {
        file_path: { title: "File Path", type: "string", description: "The path of the file." },
        maxLines: { title: "Maxlines", type: "integer", description: "Default: 10." },
        path: { type: "string", minLength: 0, description: "Not a path." },
        all: { type: "boolean", description: "Default: false." },
        deep: { type: "boolean", description: "Default: true." },
      },
      required: [],
      additionalProperties: true,
      $defs: { Unused: { type: "string" } },
    };
    expect(slimSchema(whole)).toEqual({
      type: "object",
      properties: {
        file_path: { type: "string" },
        maxLines: { type: "integer", description: "Default: 10." },
        path: { type: "string", description: "Not a path." },
        all: { type: "boolean" },
        deep: { type: "boolean", description: "Default: true." },
      },
    });
  });

  it("leaves values alone that look like keywords", () => {
    const whole: JsonSchema = {
      type: "object",
      properties: {
        title: { enum: [{ title: "Title", required: [] }], default: { minLength: 0 } },
      },
    };
    expect(slimSchema(whole)).toEqual(whole);
  });

  it("returns the same object for the same schema", () => {
    const whole: JsonSchema = { type: "object", required: [] };
    expect(slimSchema(whole)).toBe(slimSchema(whole));
  });
});
