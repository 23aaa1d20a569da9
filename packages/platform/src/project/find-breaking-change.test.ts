import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBreakingChange } from "./find-breaking-change.ts";

type Fields = Readonly<Record<string, JsonSchema>>;

const closed = (properties: Fields, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const text: JsonSchema = { type: "string" };

describe("a comparison of hostile schemas", () => {
  const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const names = (count: number, part: (index: number) => JsonSchema): Fields =>
    Object.fromEntries(many(count, (index) => [`p${index}`, part(index)]));
  const deepChoice = (word: string): JsonSchema =>
    many(9, (index) => index).reduce<JsonSchema>(
      (inner) => ({ anyOf: [inner, { anyOf: [inner, { const: word }] }] }),
      { const: `${word}!` },
    );

  it.each<[what: string, make: (word: string) => JsonSchema]>([
    ["choices within choices", (word) => closed({ a: deepChoice(word) })],
    [
      "thousands of choices",
      (word) => closed({ a: { anyOf: many(3_000, (index) => ({ pattern: `${word}${index}` })) } }),
    ],
    [
      "thousands of names and patterns",
      (word) => ({
        ...closed(names(2_000, () => ({ title: word, maxLength: word.length }))),
        patternProperties: names(2_000, () => ({ maxLength: word.length })),
      }),
    ],
    [
      "patterns that go back",
      (word) => ({
        ...closed({ [`${"a".repeat(20_000)}${word}`]: text }),
        patternProperties: { "^(a|aa)+$": { maxLength: word.length }, "(a+)+$": text },
      }),
    ],
    [
      "many values against many choices",
      (word) =>
        closed({
          a: {
            enum: many(5_000, (index) => `${word}${index}`),
            anyOf: many(500, (index) => ({ pattern: `(${word}|.)*${index}$` })),
          },
        }),
    ],
    [
      "thousands of definitions",
      (word) => ({
        ...closed(names(2_000, (index) => ({ $ref: `#/$defs/p${index}` }))),
        $defs: names(2_000, (index) => ({ enum: [word, index] })),
      }),
    ],
    [
      "thousands of required names",
      (word) => ({ type: "object", required: many(20_000, (index) => `${word}${index}`) }),
    ],
  ])("ends: %s", (_, make) => {
    expect(findBreakingChange(make("x"), make("x"))).toBe(undefined);
    expect(findBreakingChange(make("long"), make("x"))).toMatchObject({
      reason: expect.stringMatching(/./u),
    });
  });
});

describe("findBreakingChange", () => {
  it.each<[what: string, before: JsonSchema, after: JsonSchema]>([
    ["a new optional field", closed({ a: text }), closed({ a: text, b: { type: "number" } })],
    [
      "a new optional field where nothing was said of others",
      { type: "object", properties: { a: text } },
      { type: "object", properties: { a: text, b: text } },
    ],
    ["other words", closed({ a: text }), closed({ a: { ...text, description: "A letter" } })],
    ["another type beside", closed({ a: text }), closed({ a: { type: ["string", "null"] } })],
    ["numbers for integers", closed({ a: { type: "integer" } }), closed({ a: { type: "number" } })],
    ["another value", closed({ a: { enum: ["x"] } }), closed({ a: { enum: ["x", "y"] } })],
    ["a value more than one", closed({ a: { const: 1 } }), closed({ a: { enum: [1, 2] } })],
    [
      "wider bounds",
      closed({ a: { type: "integer", minimum: 1, maximum: 5 } }),
      closed({ a: { type: "integer", minimum: 0, maximum: 9 } }),
    ],
    [
      "no demand any more",
      closed({ a: { ...text, pattern: "^x", format: "uri", maxLength: 3 } }, { required: ["a"] }),
      closed({ a: text }),
    ],
    ["an open object", closed({ a: text }), { type: "object", properties: { a: text } }],
    [
      "one more choice",
      closed({ a: { anyOf: [text, { type: "null" }] } }),
      closed({ a: { anyOf: [{ type: "null" }, text, { type: "boolean" }] } }),
    ],
    [
      "a definition that grew",
      closed({ a: { $ref: "#/$defs/x" } }, { $defs: { x: closed({ p: text }) } }),
      closed({ a: { $ref: "#/$defs/y" } }, { $defs: { y: closed({ p: text, q: text }) } }),
    ],
    [
      "a definition that contains itself",
      closed(
        { a: { $ref: "#/$defs/x" } },
        { $defs: { x: closed({ next: { $ref: "#/$defs/x" } }) } },
      ),
      closed(
        { a: { $ref: "#/$defs/x" } },
        { $defs: { x: closed({ next: { $ref: "#/$defs/x" }, more: text }) } },
      ),
    ],
  ])("lets pass %s", (_, before, after) => {
    expect(findBreakingChange(before, after)).toBeUndefined();
  });

  it.each<[field: string, reason: RegExp, before: JsonSchema, after: JsonSchema]>([
    ["b", /no longer accepted/, closed({ a: text, b: text }), closed({ a: text })],
    [
      "b",
      /new and required/,
      closed({ a: text }),
      closed({ a: text, b: text }, { required: ["b"] }),
    ],
    ["a", /now required/, closed({ a: text }), closed({ a: text }, { required: ["a"] })],
    ["a", /type string/, closed({ a: text }), closed({ a: { type: "number" } })],
    ["a", /type number/, closed({ a: { type: "number" } }), closed({ a: { type: "integer" } })],
    ["a", /type null/, closed({ a: { type: ["string", "null"] } }), closed({ a: text })],
    [
      "a",
      /no longer accepts "y"/,
      closed({ a: { enum: ["x", "y"] } }),
      closed({ a: { enum: ["x"] } }),
    ],
    ["a", /const/, closed({ a: text }), closed({ a: { const: "x" } })],
    ["a", /pattern/, closed({ a: text }), closed({ a: { ...text, pattern: "^x" } })],
    ["a", /format/, closed({ a: text }), closed({ a: { ...text, format: "uri" } })],
    ["a", /maxLength/, closed({ a: text }), closed({ a: { ...text, maxLength: 5 } })],
    [
      "a",
      /minimum/,
      closed({ a: { type: "number", minimum: 1 } }),
      closed({ a: { type: "number", exclusiveMinimum: 1 } }),
    ],
    ["the input", /additional/, { type: "object", properties: { a: text } }, closed({ a: text })],
    [
      "a.b[].c",
      /now required/,
      closed({ a: closed({ b: { type: "array", items: closed({ c: text }) } }) }),
      closed({
        a: closed({ b: { type: "array", items: closed({ c: text }, { required: ["c"] }) } }),
      }),
    ],
    [
      "a",
      /minItems/,
      closed({ a: { type: "array" } }),
      closed({ a: { type: "array", minItems: 1 } }),
    ],
    [
      "a",
      /oneOf/,
      closed({ a: { oneOf: [text] } }),
      closed({ a: { oneOf: [text, { minLength: 2 }] } }),
    ],
    [
      "a.p",
      /type string/,
      closed({ a: { $ref: "#/$defs/x" } }, { $defs: { x: closed({ p: text }) } }),
      closed({ a: { $ref: "#/$defs/x" } }, { $defs: { x: closed({ p: { type: "number" } }) } }),
    ],
    ["the input", /not/, closed({ a: text }), closed({ a: text }, { not: { required: ["a"] } })],
  ])("names %s: %s", (...row) => {
    const [field, reason, before, after] = row;
    expect(findBreakingChange(before, after)).toEqual({
      field,
      reason: expect.stringMatching(reason),
    });
  });

  it("never lets pass what makes a valid input invalid", () => {
    let passed = 0;
    fc.assert(
      fc.property(
        schemaPair,
        fc.array(instance, { minLength: 40, maxLength: 40 }),
        (pair, inputs) => {
          const [before, after] = pair;
          if (!ajv.validateSchema(after as object)) return;
          if (findBreakingChange(before, after) !== undefined) return;
          passed += 1;
          const [valid, stillValid] = [compile(before), compile(after)];
          for (const input of inputs) {
            if (valid(input) === true && stillValid(input) === false) {
              throw new Error(`${JSON.stringify(input)} was valid before`);
            }
          }
        },
      ),
      { numRuns: 300, seed: 6 },
    );
    // Else it would say nothing.
    expect(passed).toBeGreaterThan(40);
  });
});

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });

function compile(schema: JsonSchema): (value: unknown) => boolean | undefined {
  const validate = ajv.compile(schema as object);
  return (value) => {
    try {
      return validate(value) as boolean;
    } catch {
      // The validator itself throws for some unrealistic schemas.
      return undefined;
    }
  };
}

const names = ["a", "b", "ab"] as const;
const instance: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>("", "x", "xy", "abc", 0, 1, 2, 3, 4, -1, 1.5, true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const small = fc.integer({ min: 0, max: 3 });
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined;
const prune = (schema: object): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(isGiven));

const { schema } = fc.letrec<{ schema: JsonSchema; any: JsonSchema | boolean }>((tie) => ({
  any: fc.oneof(
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 5, arbitrary: tie("schema") },
  ) as fc.Arbitrary<JsonSchema | boolean>,
  schema: fc.oneof(
    { maxDepth: 3 },
    fc
      .record({
        type: fc.constantFrom("string", "number", "integer", ["string", "null"], "boolean"),
        minimum: some(small),
        exclusiveMaximum: some(small),
        multipleOf: some(fc.constantFrom(1, 2)),
        minLength: some(small),
        maxLength: some(small),
        pattern: some(fc.constantFrom("^x", "b")),
      })
      .map(prune),
    fc.constantFrom<JsonSchema>({ enum: ["x", 1] }, { enum: ["x", 1, null] }, { const: 1 }, {}),
    fc
      .record({
        type: some(fc.constant("object")),
        properties: some(fc.dictionary(fc.constantFrom(...names), tie("any"), { maxKeys: 2 })),
        patternProperties: some(
          fc.dictionary(fc.constantFrom("a", "^b"), tie("any"), { maxKeys: 1 }),
        ),
        // Said in any case: what holds where it is not said is tested above.
        additionalProperties: tie("any"),
        required: some(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 1 })),
        minProperties: some(small),
        maxProperties: some(small),
        propertyNames: some(fc.constantFrom({ maxLength: 1 }, { pattern: "a" })),
        dependentRequired: some(fc.constantFrom({ a: ["b"] }, { b: ["a"] })),
      })
      .map(prune),
    fc
      .record({
        type: some(fc.constant("array")),
        items: some(tie("any")),
        prefixItems: some(fc.array(tie("any"), { minLength: 1, maxLength: 2 })),
        minItems: some(small),
        maxItems: some(small),
        uniqueItems: some(fc.boolean()),
        contains: some(fc.constantFrom<JsonSchema>({ type: "string" }, { const: 1 })),
      })
      .map(prune),
    fc
      .record({
        anyOf: some(fc.array(tie("any"), { minLength: 1, maxLength: 2 })),
        oneOf: some(fc.array(tie("any"), { minLength: 1, maxLength: 2 })),
        allOf: some(fc.array(tie("any"), { minLength: 1, maxLength: 2 })),
        not: some(tie("any")),
      })
      .map(prune),
  ) as fc.Arbitrary<JsonSchema>,
}));

/** Two schemas of which the second is the first with something taken away, put in, or replaced. */
const schemaPair: fc.Arbitrary<[JsonSchema, JsonSchema]> = fc
  .tuple(schema, schema, fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }), fc.nat(5))
  .map(([before, other, steps, kind]) => {
    if (kind === 0) return [before, other];
    return [before, change(before, other, steps) as JsonSchema];
  });

function change(value: unknown, other: unknown, steps: readonly number[]): unknown {
  const [step = 0, ...rest] = steps;
  if (typeof value !== "object" || value === null) return other;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...value };
  const keys = Object.keys(copy);
  const key = keys[step % (keys.length + 1)];
  if (key === undefined)
    return Array.isArray(copy) ? [...copy, other] : { ...copy, ...(other as object) };
  const inner = (copy as Record<string, unknown>)[key];
  if (rest.length > 0 && typeof inner === "object") {
    (copy as Record<string, unknown>)[key] = change(inner, other, rest);
    return copy;
  }
  if (typeof inner === "number") {
    (copy as Record<string, unknown>)[key] = Math.max(1, inner + (step % 2 === 0 ? 1 : -1));
    return copy;
  }
  if (Array.isArray(copy))
    return copy.length > 1 ? copy.filter((_, index) => `${index}` !== key) : copy;
  delete copy[key];
  return copy;
}
