import type { JsonSchema } from "@haft/contract";
import { InvalidRequest } from "../problem.ts";
import { createRequestChecks, type SentRequest } from "./request-checks.ts";
import type { RouteSchema } from "./route.ts";

const toCheck = createRequestChecks();

function errorsOf(schema: Partial<RouteSchema>, sent: Partial<SentRequest>): unknown {
  const request = { url: "/", params: {}, query: {}, headers: {}, ...sent };
  try {
    toCheck({ response: {}, ...schema })(request);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors;
    throw error;
  }
  return request;
}

const bodyErrors = (body: JsonSchema, sent: unknown): unknown => errorsOf({ body }, { body: sent });

describe("the check of a request", () => {
  const querystring: JsonSchema = {
    type: "object",
    properties: {
      id: { type: "array", items: { type: "string" }, default: [] },
      count: { type: "integer" },
      numbers: { type: "array", items: { type: "integer" } },
      deprecated: { anyOf: [{ type: "boolean" }, { type: "null" }] },
      version: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
    },
  };

  it("reads numbers, truths and lists out of query strings", () => {
    const query = { count: "3", numbers: "4", deprecated: "false", version: "1.0" };
    expect(errorsOf({ querystring }, { query })).toMatchObject({
      query: { id: [], count: 3, numbers: [4], deprecated: false, version: ["1.0"] },
    });
  });

  it("does not read null out of a text", () => {
    for (const deprecated of ["", "null", "0", "xx"]) {
      expect(errorsOf({ querystring }, { query: { deprecated } })).toEqual([
        {
          loc: ["query", "deprecated"],
          type: "bool_parsing",
          msg: "Expected true or false.",
          input: deprecated,
        },
      ]);
    }
  });

  it("reads nothing into a body", () => {
    expect(bodyErrors(querystring, { count: "3", id: "x", deprecated: "true" })).toMatchObject([
      { loc: ["body", "id"], type: "list_type" },
      { loc: ["body", "count"], type: "int_type" },
      { loc: ["body", "deprecated"], type: "bool_type" },
    ]);
  });

  it("gathers what is wrong in every part", () => {
    const named: JsonSchema = {
      type: "object",
      properties: { name: { type: "string", pattern: "^a+$" } },
      required: ["name"],
    };
    const schema = { params: named, querystring: named, headers: named, body: named };
    const sent = { params: { name: "b" }, query: {}, headers: { name: "b" }, body: { name: 1 } };
    expect(errorsOf(schema, sent)).toEqual([
      {
        loc: ["path", "name"],
        type: "string_pattern_mismatch",
        msg: "Expected text that matches ^a+$.",
        input: "b",
      },
      { loc: ["query", "name"], type: "missing", msg: "This field is required." },
      {
        loc: ["header", "name"],
        type: "string_pattern_mismatch",
        msg: "Expected text that matches ^a+$.",
      },
      { loc: ["body", "name"], type: "string_type", msg: "Expected a string.", input: 1 },
    ]);
  });

  it.each<[JsonSchema, unknown, ...string[]]>([
    [{ type: "string" }, 1, "string_type", "Expected a string."],
    [{ type: "integer" }, 1.5, "int_type", "Expected an integer."],
    [{ type: "number" }, "1", "float_type", "Expected a number."],
    [{ type: "object" }, [], "dict_type", "Expected an object."],
    [{ type: "null" }, 1, "none_required", "Expected null."],
    [{ type: ["string", "null"] }, 1, "string_type", "Expected a string or null."],
    [{ enum: ["a", "b"] }, "c", "enum", "Expected one of a, b."],
    [{ const: 1 }, 2, "literal_error", "Expected 1."],
    [{ minLength: 2 }, "a", "string_too_short", "Expected at least 2 characters."],
    [{ maxLength: 2 }, "abc", "string_too_long", "Expected at most 2 characters."],
    [{ minItems: 1 }, [], "too_short", "Expected at least 1 items."],
    [{ maxItems: 1 }, [1, 2], "too_long", "Expected at most 1 items."],
    [{ minProperties: 1 }, {}, "too_short", "Expected at least 1 members."],
    [{ maxProperties: 0 }, { a: 1 }, "too_long", "Expected at most 0 members."],
    [{ uniqueItems: true }, [1, 1], "value_error", "Expected items that differ from each other."],
    [{ minimum: 1 }, 0, "greater_than_equal", "Expected 1 or more."],
    [{ maximum: 1 }, 2, "less_than_equal", "Expected 1 or less."],
    [{ exclusiveMinimum: 1 }, 1, "greater_than", "Expected more than 1."],
    [{ exclusiveMaximum: 1 }, 1, "less_than", "Expected less than 1."],
    [{ multipleOf: 2 }, 1, "multiple_of", "Expected a multiple of 2."],
    [
      { format: "date-time" },
      "x",
      "datetime_from_date_parsing",
      "Expected a date-time such as 2026-01-31T12:00:00Z.",
    ],
    [{ format: "uuid" }, "x", "value_error", "Expected text of the format uuid."],
    [{ not: {} }, 1, "value_error", "This does not fit: it must NOT be valid."],
  ])("says what %j expects of %j", (schema, wrong, ...[type, msg]) => {
    const body = { type: "object", properties: { field: schema } } as const;
    expect(bodyErrors(body, { field: wrong })).toMatchObject([
      { loc: ["body", "field"], type, msg },
    ]);
  });

  it("names a member that is not allowed, and a name that does not fit", () => {
    const closed: JsonSchema = { type: "object", properties: {}, additionalProperties: false };
    expect(bodyErrors(closed, { extra: 1 })).toMatchObject([
      { loc: ["body", "extra"], type: "extra_forbidden" },
    ]);
    const named: JsonSchema = { type: "object", propertyNames: { pattern: "^[a-z]+$" } };
    expect(bodyErrors(named, { A: 1 })).toMatchObject([
      { loc: ["body", "A"], type: "string_pattern_mismatch" },
    ]);
  });

  it("speaks only of the alternative that was meant", () => {
    const body: JsonSchema = {
      type: "object",
      properties: {
        edit: {
          oneOf: [
            {
              type: "object",
              properties: { type: { const: "insert" }, value: { type: "string" } },
              required: ["type", "value"],
            },
            {
              type: "object",
              properties: { type: { const: "delete" }, name: { type: "string" } },
              required: ["type", "name"],
            },
            { type: "null" },
          ],
        },
      },
    };
    expect(bodyErrors(body, { edit: { type: "delete" } })).toEqual([
      { loc: ["body", "edit", "name"], type: "missing", msg: "This field is required." },
    ]);
    expect(bodyErrors(body, { edit: 5 })).toMatchObject([
      { loc: ["body", "edit"], type: "dict_type", msg: "Expected an object or null." },
    ]);
  });

  it("counts list positions, and treats numeric names as names", () => {
    const body: JsonSchema = {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
    };
    expect(bodyErrors(body, { "0": ["a", 1] })).toMatchObject([{ loc: ["body", "0", 1] }]);
  });

  it("wants a body where the schema does, and none where it allows null", () => {
    expect(bodyErrors({ type: "object" }, undefined)).toEqual([
      { loc: ["body"], type: "missing", msg: "A body is required." },
    ]);
    expect(bodyErrors({ type: ["object", "null"] }, undefined)).toMatchObject({ body: null });
  });

  it("shows a few characters of an input, and none of what may be secret", () => {
    const text = { type: "integer" } as const;
    const body: JsonSchema = {
      type: "object",
      properties: {
        name: text,
        value: text,
        api_key: text,
        sensitive_user_variables: { type: "object", additionalProperties: text },
        nested: { type: "string" },
      },
    };
    const secret = "a-secret-that-nobody-may-see";
    const errors = bodyErrors(body, {
      name: "x".repeat(1_000),
      value: secret,
      api_key: secret,
      sensitive_user_variables: { a: secret },
      nested: { secret },
    });
    expect(errors).toHaveLength(5);
    expect(errors).toMatchObject([{ input: `${"x".repeat(16)}…` }, {}, {}, {}, {}]);
    expect(JSON.stringify(errors)).not.toContain("a-secret");
    expect(JSON.stringify(bodyErrors({ type: "object" }, secret))).not.toContain("a-secret");
  });

  it("names only the first thing that is wrong with a large body", () => {
    const body: JsonSchema = { type: "array", items: { type: "string" } };
    const sent = Array.from({ length: 1_000 }, () => 1);
    expect(
      errorsOf({ body }, { body: sent, headers: { "content-length": "100000" } }),
    ).toHaveLength(1);
    expect(
      errorsOf({ body }, { body: sent, headers: { "transfer-encoding": "chunked" } }),
    ).toHaveLength(1);
    expect(errorsOf({ body }, { body: sent, headers: { "content-length": "2000" } })).toHaveLength(
      50,
    );
  });
});
