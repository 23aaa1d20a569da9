import type { JsonSchema, ObjectSchema } from "@haft/contract";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { anthropicStrict } from "../anthropic/anthropic-form.ts";
import { openAiStrict } from "../openai/openai-form.ts";
import { toStrictSchema } from "./strict-schema.ts";

const around = (one: JsonSchema): ObjectSchema => ({ type: "object", properties: { one } });

function strictOne(one: JsonSchema, rules = openAiStrict): unknown {
  const properties = toStrictSchema(around(one), rules)?.schema.properties;
  return (properties as { one: unknown } | undefined)?.one;
}

describe("a strict schema for OpenAI", () => {
  it.each<[string, JsonSchema, unknown]>([
    ["lets optional text be null", { type: "string" }, { type: ["string", "null"] }],
    [
      "lets optional choices be null",
      { enum: ["a", "b"], description: "Which." },
      { description: "Which.", type: ["string", "null"], enum: ["a", "b", null] },
    ],
    ["makes a constant a choice", { const: 1 }, { type: ["integer", "null"], enum: [1, null] }],
    [
      "adds null to a union",
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
    ],
    [
      "adds no second null",
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "keeps bounds it knows and drops the others",
      { type: "integer", minimum: 1, default: 5, title: "N", format: "int32" },
      { type: ["integer", "null"], minimum: 1 },
    ],
    [
      "closes what is inside lists",
      {
        type: "array",
        minItems: 2,
        uniqueItems: true,
        items: { type: "object", properties: { a: { type: "string", minLength: 1 } } },
      },
      {
        type: ["array", "null"],
        minItems: 2,
        items: {
          type: "object",
          properties: { a: { type: ["string", "null"] } },
          required: ["a"],
          additionalProperties: false,
        },
      },
    ],
  ])("%s", (_, schema, strict) => {
    expect(strictOne(schema)).toEqual(strict);
  });

  it("leaves required properties as they are", () => {
    const schema = { ...around({ type: "string" }), required: ["one"] };
    expect(toStrictSchema(schema, openAiStrict)?.schema).toEqual({
      type: "object",
      properties: { one: { type: "string" } },
      required: ["one"],
      additionalProperties: false,
    });
  });

  it.each<[string, JsonSchema]>([
    ["anything", {}],
    ["a map", { type: "object", additionalProperties: { type: "string" } }],
    ["an open object", { type: "object" }],
    [
      "an object that says it is open",
      { ...around({ type: "string" }), additionalProperties: true },
    ],
    ["a list of anything", { type: "array" }],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }], items: false }],
    ["a reference", { $ref: "#/$defs/x" }],
    ["a negation", { type: "string", not: { const: "" } }],
    ["an intersection", { allOf: [{ type: "string" }] }],
    ["a listed object", { enum: [{ a: 1 }] }],
    ["a union inside a typed object", { ...around({ type: "string" }), anyOf: [{ required: [] }] }],
    ["a branch without a type", { anyOf: [{ type: "string" }, { minimum: 1 }] }],
  ])("can't be made of %s", (_, schema) => {
    expect(strictOne(schema)).toBeUndefined();
  });

  it("can't be made of a union at the root", () => {
    const schema = { type: "object", anyOf: [around({ type: "string" })] } as const;
    expect(toStrictSchema(schema, openAiStrict)).toBeUndefined();
  });

  it.each<[string, ObjectSchema, boolean]>([
    ["10 levels", nest(10), true],
    ["11 levels", nest(11), false],
    ["1,000 choices", around({ enum: Array.from({ length: 1_000 }, (_, at) => at) }), true],
    ["1,001 choices", around({ enum: Array.from({ length: 1_001 }, (_, at) => at) }), false],
    ["5,001 properties", wide(5_001), false],
    ["120,001 characters", around({ enum: ["x".repeat(119_998)] }), false],
  ])("has room for %s: %#", (_, schema, fits) => {
    expect(toStrictSchema(schema, openAiStrict) !== undefined).toBe(fits);
  });

  it("follows the provider's rules for every built-in tool it is made of", () => {
    const made = builtinTools.flatMap(({ parameters }) => {
      return toStrictSchema(parameters, openAiStrict)?.schema ?? [];
    });
    expect(made.length).toBe(builtinTools.length);
    for (const schema of made) checkStrict(schema);
  });
});

describe("a strict schema for Anthropic", () => {
  it("leaves optional what is optional, and drops bounds", () => {
    const schema = toStrictSchema(
      around({ type: "array", minItems: 1, maxItems: 3, items: { type: "integer", minimum: 1 } }),
      anthropicStrict,
    );
    expect(schema?.schema).toEqual({
      type: "object",
      properties: { one: { type: "array", minItems: 1, items: { type: "integer" } } },
      required: [],
      additionalProperties: false,
    });
    expect(schema?.tally).toMatchObject({ properties: 1, optional: 1, unions: 0 });
  });

  it("keeps of lower bounds only that there is something", () => {
    const list = (minItems: number): unknown =>
      strictOne({ type: "array", minItems, items: { type: "string" } }, anthropicStrict);
    expect(list(0)).toHaveProperty("minItems", 0);
    expect(list(2)).not.toHaveProperty("minItems");
  });

  it("counts what may be of several types", () => {
    const union = { anyOf: [{ type: "string" }, { type: ["integer", "null"] }] } as const;
    expect(toStrictSchema(around(union), anthropicStrict)?.tally.unions).toBe(2);
  });
});

function nest(levels: number): ObjectSchema {
  let schema: JsonSchema = { type: "string" };
  for (let level = 0; level < levels; level++) schema = around(schema);
  return schema as ObjectSchema;
}

function wide(count: number): ObjectSchema {
  const names = Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]);
  return { type: "object", properties: Object.fromEntries(names) };
}

const known = new Set([
  "type",
  "description",
  "enum",
  "anyOf",
  "items",
  "properties",
  "required",
  "additionalProperties",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
]);

function checkStrict(schema: JsonSchema): void {
  for (const keyword of Object.keys(schema)) expect(known).toContain(keyword);
  expect(schema.type ?? schema.anyOf).toBeDefined();
  if ([schema.type].flat().includes("object")) {
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toEqual(Object.keys(schema.properties ?? {}));
  }
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(typeof schema.items === "object" ? [schema.items] : []),
  ];
  for (const one of inner) checkStrict(one);
}
