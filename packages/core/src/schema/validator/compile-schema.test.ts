import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";

// Few names, few texts, small numbers: so that values often meet the schemas made for them.
const name = fc.constantFrom("a", "b", "c");
const text = fc.constantFrom("", "a", "ab", "😀", "é", "5");
const number = fc.constantFrom(-1, -0, 0, 1, 1.5, 2, 2 ** 53);
const count = fc.nat({ max: 3 });
const typeName = fc.constantFrom(
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
);
const pattern = fc.constantFrom("^a", "b$", "^.$", "\\p{L}", "^(a|ab)*$", "^(?=.*b)a");

function toObject<Value>(inner: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc.array(fc.tuple(name, inner), { maxLength: 3 }).map((all) => Object.fromEntries(all));
}

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    text,
    number,
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    toObject(tie("value")),
  ),
}));

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const one = tie("schema");
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
    ...{ enum: fc.array(value, { minLength: 1, maxLength: 4 }), const: value },
    ...{ minimum: number, exclusiveMaximum: number, multipleOf: fc.constantFrom(1, 2, 0.5) },
    ...{ minLength: count, maxLength: count, pattern },
    ...{ minItems: count, maxItems: count, uniqueItems: fc.boolean(), items: one, contains: one },
    ...{ minContains: count, maxContains: count },
    ...{ properties: toObject(one), additionalProperties: one, propertyNames: one },
    ...{ minProperties: count, maxProperties: count },
    ...{ required: fc.uniqueArray(name, { maxLength: 2 }), dependentSchemas: toObject(one) },
    dependentRequired: toObject(fc.uniqueArray(name, { maxLength: 2 })),
    patternProperties: fc
      .array(fc.tuple(pattern, one), { maxLength: 2 })
      .map((all) => Object.fromEntries(all)),
    ...{ unevaluatedProperties: one, not: one, allOf: some, anyOf: some, oneOf: some },
    ...Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, one])),
    $ref: fc.constantFrom("#/$defs/a", "#/$defs/b"),
  };
  const few = fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 4 })
    .chain((used) =>
      fc.record(Object.fromEntries(used.map((each) => [each, keywords[each] as never]))),
    )
    .map(decideByIf);
  return {
    schema: fc.oneof({ maxDepth: 3, depthSize: "small" }, fc.boolean(), few),
  };
});

// Ajv ignores an `if` that decides nothing, although what it evaluates counts as evaluated.
function decideByIf(made: Readonly<Record<string, unknown>>): object {
  const decides = (branch: unknown): boolean =>
    branch === false || Object.keys(branch ?? {}).length > 0;
  if (!("if" in made) || decides(made.then) || decides(made.else)) return made;
  return { ...made, else: { minLength: 0 } };
}

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  strictNumbers: true,
  ownProperties: true,
  validateSchema: false,
});

function askAjv(schema: object, given: unknown): boolean {
  try {
    return ajv.compile(schema)(given);
  } catch (error) {
    // For a few schemas it writes code that refers to variables it forgot to declare.
    fc.pre(!(error instanceof ReferenceError));
    throw error;
  }
}

describe("compileSchema", () => {
  it("judges as the usual validator does", () => {
    const plain = { type: ["string", "object"], properties: { a: { type: "string" } } };
    fc.assert(
      fc.property(schema, value, (part, given) => {
        const whole = { $defs: { a: plain, b: { items: { $ref: "#/$defs/a" } } }, allOf: [part] };
        const compiled = compileSchema(whole as JsonSchema);
        const isFit = compiled.accepts(given);
        expect(isFit).toBe(askAjv(whole, given));
        expect(compiled.explain(given).length === 0).toBe(isFit);
      }),
      { numRuns: 1_000 },
    );
  });

  it("treats names of built-in objects like any other name", () => {
    const own = compileSchema({
      required: ["__proto__", "toString"],
      properties: JSON.parse('{"__proto__": {"type": "string"}}'),
      additionalProperties: { type: "number" },
    });
    expect(own.accepts(JSON.parse('{"__proto__": "a", "toString": 1}'))).toBe(true);
    expect(own.accepts(JSON.parse('{"__proto__": 1, "toString": 1}'))).toBe(false);
    expect(own.accepts({})).toBe(false);
    expect(compileSchema({ const: {} }).accepts({ toString: null })).toBe(false);
    expect(compileSchema({ uniqueItems: true }).accepts(["__proto__", "__proto__"])).toBe(false);
  });

  it.each<[string, JsonSchema, { value: unknown; answer: boolean }]>([
    [
      "an anchor",
      { $defs: { a: { $anchor: "n", type: "number" } }, $ref: "#n" },
      { value: "a", answer: false },
    ],
    [
      "an escaped pointer",
      { $defs: { "a/b~%": false }, $ref: "#/$defs/a~1b~0%25" },
      { value: 1, answer: false },
    ],
    [
      "a place no keyword knows",
      { components: { a: { type: "null" } }, $ref: "#/components/a" },
      { value: 1, answer: false },
    ],
    [
      "its own address",
      {
        $id: "https://x.example/s",
        properties: { a: { $ref: "https://x.example/s" } },
        type: "object",
      },
      { value: { a: 1 }, answer: false },
    ],
    [
      "a part with its own address",
      {
        $defs: { a: { $id: "urn:a", $defs: { b: { type: "null" } }, $ref: "#/$defs/b" } },
        $ref: "#/$defs/a",
      },
      { value: 1, answer: false },
    ],
    [
      "a dynamic anchor",
      { $dynamicAnchor: "node", type: "object", properties: { a: { $dynamicRef: "#node" } } },
      { value: { a: 1 }, answer: false },
    ],
    ["itself", { type: "array", items: { $ref: "#" } }, { value: [[], [[]]], answer: true }],
  ])("follows a reference to %s", (_, schema, { value, answer }) => {
    expect(compileSchema(schema).accepts(value)).toBe(answer);
  });

  it("checks the formats that it is given, and no others", () => {
    const formats = {
      even: { type: "string", test: (text: string) => text.length % 2 === 0 },
      byte: { type: "number", test: (value: number) => value >= 0 && value < 256 },
    } as const;
    const compiled = compileSchema({ anyOf: [{ format: "even" }, { format: "odd" }] }, { formats });
    expect(compiled.accepts("a")).toBe(true);
    expect(compileSchema({ format: "even" }, { formats }).accepts("a")).toBe(false);
    expect(compileSchema({ format: "even" }, { formats }).accepts(3)).toBe(true);
    expect(compileSchema({ format: "byte" }, { formats }).accepts(300)).toBe(false);
    expect(compileSchema({ format: "byte" }, { formats }).accepts("300")).toBe(true);
    expect(compileSchema({ format: "toString" }, { formats }).accepts("a")).toBe(true);
  });

  it("says what is wrong and where, without what does not count", () => {
    const compiled = compileSchema({
      properties: {
        a: { items: { anyOf: [{ type: "string" }, { minimum: 3 }] } },
        b: { oneOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["c"],
    });
    expect(
      compiled.explain({ a: ["x", 5, 1], b: 1 }).map(({ path, message }) => [path, message]),
    ).toEqual([
      [[], "must have required property 'c'"],
      [["a", 2], "must be string"],
      [["a", 2], "must be >= 3"],
      [["a", 2], "must match a schema in anyOf"],
    ]);
  });

  it.each<[string, JsonSchema, RegExp]>([
    ["an unknown type", { type: "text" as "string" }, /^#\/type must be one of string, number/u],
    ["a list of too many types", { type: Array(9).fill("string") }, /^#\/type must/u],
    [
      "properties that are a list",
      { properties: [] as never },
      /^#\/properties must be an object/u,
    ],
    [
      "items of another draft",
      { items: [{}] as never },
      /^#\/items must be one schema; use "prefixItems"/u,
    ],
    ["a schema that is a number", { not: 5 }, /^#\/not must be an object or a boolean/u],
    ["a divisor of nothing", { multipleOf: 0 }, /^#\/multipleOf must be a number greater than 0/u],
    [
      "a length below nothing",
      { properties: { a: { minLength: -1 } } },
      /^#\/properties\/a\/minLength must/u,
    ],
    ["a pattern that is none", { pattern: "(" }, /^#\/pattern can't use the pattern "\("/u],
    [
      "a pattern of names",
      { patternProperties: { "(a)\\1": {} } },
      /^#\/patternProperties .*refers back/u,
    ],
    ["a reference to nowhere", { $ref: "#/$defs/none" }, /^#\/\$ref can't resolve reference/u],
    ["another document", { $ref: "file:///etc/passwd" }, /^#\/\$ref can't resolve reference/u],
    [
      "an anchor that is there twice",
      { allOf: [{ $anchor: "a" }, { $anchor: "a", type: "null" }] },
      /\$anchor is there already/u,
    ],
    ["a circle", { $ref: "#" }, /^# refers to itself \(\$ref\)/u],
    [
      "a circle of several",
      {
        $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
        $ref: "#/$defs/a",
      },
      /refers to itself \(\$ref\)/u,
    ],
    [
      "references that multiply",
      multiply("anyOf"),
      /more than 20000 schemas by its references \(\$ref\)/u,
    ],
    [
      "references that multiply in other ways",
      multiply("dependentSchemas"),
      /more than 20000 schemas/u,
    ],
    ["a long row of references", inRow(1_000), /more than 500 references \(\$ref\) in a row/u],
    ["what is nested without end", nest(200), /nested more than 128 schemas deep/u],
    [
      "patterns that are too large together",
      { allOf: Array.from({ length: 40 }, (_, index) => ({ pattern: `^a{4000}${index}` })) },
      /all patterns of the schema make more than 100000 steps/u,
    ],
  ])("refuses %s", (_, schema, why) => {
    expect(() => compileSchema(schema)).toThrow(why);
  });
});

function multiply(keyword: "anyOf" | "dependentSchemas"): JsonSchema {
  const $defs: Record<string, JsonSchema> = { d0: { type: "string" } };
  for (let level = 1; level < 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] =
      keyword === "anyOf"
        ? { anyOf: [{ $ref }, { $ref }] }
        : { [keyword]: { a: { $ref }, b: { $ref } } };
  }
  return { $defs, $ref: "#/$defs/d39" };
}

function inRow(count: number): JsonSchema {
  const $defs: Record<string, JsonSchema> = { d0: {} };
  for (let index = 1; index < count; index++) {
    $defs[`d${index}`] = { properties: { a: { $ref: `#/$defs/d${index - 1}` } } };
  }
  return { $defs, $ref: `#/$defs/d${count - 1}` };
}

function nest(depth: number): JsonSchema {
  let schema: JsonSchema = {};
  for (let level = 0; level < depth; level++) schema = { not: schema };
  return schema;
}
