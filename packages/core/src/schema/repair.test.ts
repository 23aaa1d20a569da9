import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repair } from "./repair.ts";
import { fits } from "./schema-check.ts";

const inner: JsonSchema = {
  type: "object",
  properties: { n: { type: "integer" }, list: { type: "array", items: { type: "number" } } },
};
const schema: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    flag: { type: "boolean" },
    nested: inner,
    many: { type: "array", items: inner },
    nullable: { type: ["integer", "null"] },
    union: { anyOf: [{ type: "integer" }, inner] },
    ambiguous: { anyOf: [{ type: "integer" }, { type: "boolean" }, { type: "string" }] },
    twofold: { oneOf: [{ type: "object" }, { type: "array" }] },
    pair: { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
    must: { type: "string" },
  },
};

describe("repair", () => {
  it.each<[string, unknown, unknown]>([
    ["JSON text at the root", '{"count":1}', { count: 1 }],
    ["JSON text for an object", { nested: '{"n":1}' }, { nested: { n: 1 } }],
    ["JSON text for an array", { many: '[{"n":1}]' }, { many: [{ n: 1 }] }],
    ["text inside JSON text", '{"nested":"{\\"n\\":\\"1\\"}"}', { nested: { n: 1 } }],
    ["text for an integer", { count: "5" }, { count: 5 }],
    ["text for a negative fraction", { ratio: "-1.5" }, { ratio: -1.5 }],
    ["text for a boolean", { flag: "true" }, { flag: true }],
    ["Python's text for a boolean", { flag: "False" }, { flag: false }],
    ["an integer for text", { text: 5 }, { text: "5" }],
    ["null for something left out", { text: null }, {}],
    ["null deep inside", { many: [{ n: null }] }, { many: [{}] }],
    ["numbers in a list", { nested: { list: ["1", 2] } }, { nested: { list: [1, 2] } }],
    ["a union with one reading", { union: "5" }, { union: 5 }],
    ["the other branch of a union", { union: '{"n":"5"}' }, { union: { n: 5 } }],
    ["a type beside null", { nullable: "5" }, { nullable: 5 }],
    ["JSON text in a union of shapes", { twofold: "[]" }, { twofold: [] }],
    ["what follows a tuple's head", { pair: ["5", "6"] }, { pair: ["5", 6] }],
  ])("puts right %s", (_, value, repaired) => {
    expect(repair(schema, value).value).toEqual(repaired);
  });

  it.each<[string, unknown]>([
    ["null where it is allowed", { nullable: null }],
    ["text that is no number", { count: "five" }],
    ["text that is almost a number", { count: "5 apples" }],
    ["hexadecimal text", { count: "0x10" }],
    ["an empty text for a number", { count: "" }],
    ["an integer too long to be exact", { count: "9007199254740993" }],
    ["a fraction for text", { text: 0.1 }],
    ["text that is no JSON", { nested: "{n:1}" }],
    ["JSON text of the wrong shape", { nested: "[1]" }],
    ["one for true", { flag: "1" }],
    ["a union that the value fits", { ambiguous: "5" }],
    ["a union of which no reading fits", { union: "x" }],
  ])("leaves alone %s", (_, value) => {
    expect(repair(schema, value)).toEqual({ value, repairs: [] });
  });

  it("keeps null for a required field, so that it is named", () => {
    const required: JsonSchema = { ...schema, required: ["must"] };
    expect(repair(required, { must: null }).value).toEqual({ must: null });
  });

  it("leaves a union with two readings untouched", () => {
    const either = (a: "string" | "integer", b: "string" | "integer"): JsonSchema => ({
      type: "object",
      properties: { a: { type: a }, b: { type: b } },
    });
    const torn: JsonSchema = { oneOf: [either("integer", "string"), either("string", "integer")] };
    expect(repair(torn, { a: "1", b: true }).repairs).toEqual([]);
    expect(repair(torn, { a: 1, b: 1 }).repairs).toEqual([]);
    expect(repair(torn, { a: "1" }).repairs).toEqual([]);
  });

  it("repairs the fields of a schema whose union only says which are required", () => {
    const either: JsonSchema = {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(repair(either, { b: "5" }).value).toEqual({ b: 5 });
  });

  it("gives a branch without a type that of the whole", () => {
    const branches: JsonSchema = {
      type: "object",
      oneOf: [
        { properties: { kind: { const: "a" }, n: { type: "integer" } } },
        { properties: { kind: { const: "b" }, n: { type: "boolean" } } },
      ],
    };
    expect(repair(branches, { kind: "a", n: "5" }).value).toEqual({ kind: "a", n: 5 });
  });

  it("says what it did, by field", () => {
    const { repairs } = repair(schema, '{"many":[{"n":"1"}],"text":null}');
    expect(repairs).toEqual([
      "arguments: read string as object",
      "many[0].n: read string as integer",
      "text: read null as absent",
    ]);
  });

  it("follows references, and gets along with flags for schemas", () => {
    const odd: JsonSchema = {
      type: "object",
      properties: {
        a: { $ref: "#/$defs/a" },
        b: true as unknown as JsonSchema,
        c: { anyOf: [{ $ref: "#/$defs/a" }, { type: "integer" }] },
        d: { type: "integer" },
      },
      $defs: { a: { type: "integer" } },
    };
    const value = { a: null, b: "5", c: "5", d: "5" };
    expect(repair(odd, value).value).toEqual({ b: "5", c: 5, d: 5 });
  });

  it("does not change what it was given", () => {
    const value = Object.freeze({ count: "5", nested: Object.freeze({ n: "1" }) });
    repair(schema, value);
    expect(value).toEqual({ count: "5", nested: { n: "1" } });
  });
});

const leaf = fc.constantFrom<unknown>(
  null,
  1,
  1.5,
  true,
  "",
  "x",
  "5",
  "true",
  "null",
  '{"n":"1"}',
  "[1]",
  '{"count":"2"}',
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom(...Object.keys(schema.properties ?? {}), "n", "list"),
      tie("value"),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value;

const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

describe("any repair", () => {
  it("never touches a value that fits", () => {
    let fitting = 0;
    fc.assert(
      fc.property(value, (value) => {
        if (!fits(schema, value)) return;
        fitting++;
        expect(repair(schema, value)).toEqual({ value, repairs: [] });
      }),
      { numRuns: 1_000 },
    );
    expect(fitting).toBeGreaterThan(20);
  });

  it("never breaks a field that was right", () => {
    fc.assert(
      fc.property(value, (value) => {
        const before = wrongFields(value);
        for (const field of wrongFields(repair(schema, value).value)) {
          // A text that turns out to hold an object may have faults inside.
          expect(before.some((wrong) => field.startsWith(wrong))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("is complete after one go", () => {
    fc.assert(
      fc.property(value, (value) => {
        const once = repair(schema, value);
        expect(repair(schema, once.value)).toEqual({ value: once.value, repairs: [] });
      }),
      { numRuns: 500 },
    );
  });
});

// By pointer, of the smallest parts that are wrong.
function wrongFields(value: unknown): string[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => error.instancePath);
}
