import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createInputValidator } from "./input-validator.ts";

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

  it.each(["colour", "constructor", "__proto__"])("misses %s if it is required", (name) => {
    const strict = createInputValidator({ type: "object", required: [name] });
    expect(strict({})).toBe(`${name} is missing`);
    expect(strict(JSON.parse(`{"${name}": 1}`))).toBe(undefined);
  });

  it.each([
    ["url", `http://${":".repeat(200_000)}`],
    ["email", `${"a".repeat(200_000)}@${"a-".repeat(100_000)}`],
    ["regex", "(".repeat(200_000)],
    ["duration", `P${"1".repeat(200_000)}`],
    ["uri-template", `${"{a".repeat(100_000)}`],
  ])("is not delayed by a long text for a %s", (format, text) => {
    const strict = createInputValidator({ type: "object", properties: { a: { format } } });
    expect(strict({ a: text })).toMatch(/^(?:a must match format|checking the value)/u);
  });
});

// What generators of schemas really write.
const usual: readonly JsonSchema[] = [
  ...["^\\p{L}+$", "^\\d{4}-\\d{2}-\\d{2}$", "^[a-z0-9]+(?:-[a-z0-9]+)*$", "^(?=.*\\d).{4,}$"].map(
    (pattern) => ({ type: "string" as const, pattern }),
  ),
  {
    type: "string",
    pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
  },
  // Zod's own for an email address.
  {
    type: "string",
    pattern:
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  },
  ...["date", "time", "date-time", "email", "uri", "url", "uuid", "ipv4", "ipv6", "hostname"].map(
    (format) => ({ format }),
  ),
  { type: "integer", format: "int32" },
  { type: "number", exclusiveMinimum: 0, multipleOf: 0.01 },
  { anyOf: [{ type: "string" }, { type: "null" }], default: null },
  { type: ["string", "null"], enum: ["a", null] },
  { type: "string", nullable: true } as JsonSchema,
  { type: "array", items: { type: "string" }, uniqueItems: true, minItems: 1 },
  { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
  {
    oneOf: [
      { type: "object", properties: { kind: { const: "a" } }, required: ["kind"] },
      {
        type: "object",
        properties: { kind: { const: "b" }, size: { type: "integer" } },
        required: ["kind", "size"],
        additionalProperties: false,
      },
    ],
  },
  {
    type: "object",
    additionalProperties: { type: "string" },
    propertyNames: { pattern: "^[a-z]+$" },
  },
  { $ref: "#/$defs/node" },
];

const values = fc.oneof(
  fc.constantFrom<unknown>(
    ...["", "a", "Ada", "ümlaut", "a-b", "2024-01-31", "10:00:00Z", "2024-01-31T10:00:00Z", "pw12"],
    ...["a@b.co", "a..b@c.de", "A.B@c-d.org", "http://a.co/x", "HTTP://A.CO", "x:y", "1.2.3.4"],
    ...["::1", "123e4567-e89b-12d3-a456-426614174000", "not a host", "a.example"],
    ...[null, true, 0, 1, -1, 0.25, 2 ** 31, 1.5],
    ...[["a"], ["a", "a"], ["a", 1], ["a", 1, 2], [], [{ a: 1 }, { a: 1 }]],
    ...[
      { kind: "a" },
      { kind: "b", size: 1 },
      { kind: "b", size: 1, more: 1 },
      { a: "b" },
      { A: "b" },
    ],
    ...[{ name: "a" }, { name: "a", children: [{ name: "b", children: [] }] }, { children: [{}] }],
  ),
  fc.string(),
  fc.jsonValue({ maxDepth: 3 }),
);

describe("a schema as generators write them", () => {
  const node: JsonSchema = {
    type: "object",
    properties: {
      name: { type: "string" },
      children: { type: "array", items: { $ref: "#/$defs/node" } },
    },
    required: ["name"],
  };
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv, { mode: "fast" });

  it.each(usual.map((schema) => [JSON.stringify(schema).slice(0, 80), schema] as const))(
    "takes what it took before: %s",
    (_, schema) => {
      const whole: JsonSchema = {
        type: "object",
        properties: { a: schema },
        required: ["a"],
        $defs: { node },
      };
      const [before, now] = [ajv.compile(whole), createInputValidator(whole)];
      fc.assert(
        fc.property(values, (a) => {
          // The other one takes only the first digit of such a quotient.
          fc.pre(typeof a !== "number" || Math.abs(a) < 1e15);
          expect(now({ a } as never) === undefined).toBe(before({ a }));
        }),
        { numRuns: 150 },
      );
    },
  );
});
