import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accepts } from "./accept.ts";

// Few names, few texts, small numbers: so that values often meet the schemas made for them.
const name = fc.constantFrom("a", "b", "constructor", "toString", "__proto__", "");
const text = fc.constantFrom("", "a", "ab", "😀", "é", "\ud800", "5");
const number = fc.constantFrom(-1, -0, 0, 1, 1.5, 2, 2 ** 53, 1e308);

function toObject(inner: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  // `fromEntries` makes `__proto__` an own property, as `JSON.parse` does.
  return fc.array(fc.tuple(name, inner), { maxLength: 3 }).map((all) => Object.fromEntries(all));
}

function arbitraryValue(...extra: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      text,
      number,
      fc.constantFrom(null, true, false),
      ...extra,
      fc.array(tie("value"), { maxLength: 3 }),
      toObject(tie("value")),
    ),
  })).value;
}

const json = arbitraryValue();
// What callers in JavaScript may send though JSON has no word for it.
const value = arbitraryValue(fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY));

const typeName = fc.constantFrom(
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
);
const count = fc.nat({ max: 3 });
const malformed = fc.constantFrom(-1, 1.5, "a", "ab", null, [], ["a", "a"], [5], {}, { a: 5 });

const { schema } = fc.letrec((tie) => {
  const sometimesMalformed = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ arbitrary, weight: 40 }, { arbitrary: malformed, weight: 1 });
  const flagOrSchema = fc.oneof(fc.boolean(), tie("schema"));
  return {
    schema: fc.record(
      {
        type: sometimesMalformed(
          fc.oneof(typeName, fc.array(typeName, { minLength: 1, maxLength: 3 })),
        ),
        enum: sometimesMalformed(fc.array(json, { minLength: 1, maxLength: 4 })),
        const: json,
        properties: sometimesMalformed(toObject(flagOrSchema)),
        required: sometimesMalformed(fc.uniqueArray(name, { maxLength: 2 })),
        additionalProperties: sometimesMalformed(flagOrSchema),
        items: sometimesMalformed(flagOrSchema),
        minItems: sometimesMalformed(count),
        maxItems: sometimesMalformed(count),
        minimum: sometimesMalformed(number),
        maximum: sometimesMalformed(number),
        minLength: sometimesMalformed(count),
        maxLength: sometimesMalformed(count),
        description: sometimesMalformed(text),
        examples: sometimesMalformed(fc.array(json, { maxLength: 1 })),
      },
      { requiredKeys: [] },
    ),
  };
});

// Schemas of which most keywords are left out are fitted far more often.
const sparseSchema = fc
  .tuple(schema, fc.infiniteStream(fc.nat({ max: 3 })))
  .map(([full, picks]) => {
    const kept = Object.entries(full as object).filter(() => picks.next().value === 0);
    return Object.fromEntries(kept) as JsonSchema;
  });
const unknownKeyword = fc
  .tuple(sparseSchema, fc.constantFrom({ pattern: "^a" }, { not: {} }, { $ref: "#/none" }))
  .map(([known, unknown]) => ({ ...known, ...unknown }) as JsonSchema);

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  strictNumbers: true,
  ownProperties: true,
});

function fitsByAjv(schema: JsonSchema, value: unknown): boolean | string {
  try {
    return ajv.compile(schema)(value);
  } catch (error) {
    return `does not compile: ${(error as Error).message}`;
  }
}

describe("accepts", () => {
  it("accepts nothing that the full validator would not", () => {
    let accepted = 0;
    const anySchema = fc.oneof(
      { arbitrary: sparseSchema, weight: 12 },
      { arbitrary: unknownKeyword, weight: 1 },
    );
    fc.assert(
      fc.property(anySchema, value, (schema, value) => {
        if (!accepts(schema, value)) return;
        accepted++;
        expect(fitsByAjv(schema, value)).toBe(true);
      }),
      { numRuns: 4_000 },
    );
    // Without this the property could hold because nothing is ever accepted.
    expect(accepted).toBeGreaterThan(400);
  });

  it.each<[string, JsonSchema, unknown]>([
    ["a plain object", { type: "object", properties: { a: { type: "string" } } }, { a: "x" }],
    ["an absent optional", { type: "object", properties: { a: { type: "string" } } }, {}],
    ["a list", { type: "array", items: { type: "integer" }, minItems: 2 }, [1, 2]],
    ["one of several types", { type: ["string", "null"] }, null],
    ["a listed value", { enum: ["a", "b"] }, "b"],
    ["a flag for a schema", { type: "object", properties: { a: true as never } }, { a: 5 }],
    ["an unsent constructor", { properties: { constructor: { type: "string" } } as never }, {}],
  ])("proves %s without the compiler", (_, schema, value) => {
    expect(accepts(schema, value)).toBe(true);
  });

  it.each<[string, JsonSchema]>([
    ["in a property that was not sent", { properties: { a: { type: "bogus" as "string" } } }],
    ["in the type", { type: 5 as never }],
    ["in an enumeration", { enum: "abc" as never }],
    ["in a bound of another type", { type: "object", minLength: -1 }],
    ["in a description", { description: 5 as never }],
  ])("leaves a fault %s to the compiler", (_, schema) => {
    expect(accepts(schema, {})).toBe(false);
  });

  it.each<[string, JsonSchema, unknown]>([
    ["a name every object inherits", { required: ["toString"] }, {}],
    ["a required value that is undefined", { required: ["a"] }, { a: undefined }],
    ["a hole in an array", { items: { type: "number" } }, new Array(1)],
    ["a number that is none", { type: "number" }, Number.NaN],
    ["items where none may be", { items: false }, [1]],
  ])("does not accept %s", (_, schema, value) => {
    expect(accepts(schema, value)).toBe(false);
  });
});
