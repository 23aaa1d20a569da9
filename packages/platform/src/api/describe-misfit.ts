import type { ErrorObject } from "ajv/dist/2020.js";
import type { FieldError } from "../problem.ts";

type Misfit = Pick<FieldError, "type" | "msg">;

/**
 * Returns the API's error type and a sentence about what was expected. `textual`: the value came as
 * text, as in a query string.
 */
export function describeMisfit(error: ErrorObject, textual: boolean): Misfit {
  const params = error.params as Record<string, unknown>;
  const limit = String(params.limit);
  switch (error.keyword) {
    case "type":
      return describeType([params.type].flat() as string[], textual);
    case "required":
      return { type: "missing", msg: "This field is required." };
    case "enum":
      return { type: "enum", msg: `Expected ${list(params.allowedValues as unknown[])}.` };
    case "const":
      return { type: "literal_error", msg: `Expected ${list([params.allowedValue])}.` };
    case "pattern":
      return {
        type: "string_pattern_mismatch",
        msg: `Expected text that matches ${String(params.pattern)}.`,
      };
    case "minLength":
      return { type: "string_too_short", msg: `Expected at least ${limit} characters.` };
    case "maxLength":
      return { type: "string_too_long", msg: `Expected at most ${limit} characters.` };
    case "minItems":
      return { type: "too_short", msg: `Expected at least ${limit} items.` };
    case "maxItems":
      return { type: "too_long", msg: `Expected at most ${limit} items.` };
    case "minProperties":
      return { type: "too_short", msg: `Expected at least ${limit} members.` };
    case "maxProperties":
      return { type: "too_long", msg: `Expected at most ${limit} members.` };
    case "uniqueItems":
      return { type: "value_error", msg: "Expected items that differ from each other." };
    case "minimum":
      return { type: "greater_than_equal", msg: `Expected ${limit} or more.` };
    case "maximum":
      return { type: "less_than_equal", msg: `Expected ${limit} or less.` };
    case "exclusiveMinimum":
      return { type: "greater_than", msg: `Expected more than ${limit}.` };
    case "exclusiveMaximum":
      return { type: "less_than", msg: `Expected less than ${limit}.` };
    case "multipleOf":
      return { type: "multiple_of", msg: `Expected a multiple of ${String(params.multipleOf)}.` };
    case "format":
      return describeFormat(String(params.format));
    case "additionalProperties":
      return { type: "extra_forbidden", msg: "Unknown field. Leave it out." };
    default:
      return { type: "value_error", msg: `This does not fit: it ${error.message ?? "is wrong"}.` };
  }
}

const kinds: Readonly<Record<string, { readonly noun: string; readonly type: string }>> = {
  string: { noun: "a string", type: "string_type" },
  integer: { noun: "an integer", type: "int_type" },
  number: { noun: "a number", type: "float_type" },
  boolean: { noun: "true or false", type: "bool_type" },
  array: { noun: "an array", type: "list_type" },
  object: { noun: "an object", type: "dict_type" },
  null: { noun: "null", type: "none_required" },
};

function describeType(types: readonly string[], textual: boolean): Misfit {
  const nouns = types.map((type) => kinds[type]?.noun ?? type);
  // The caller most likely meant the type that is not `null`.
  const meant = types.find((type) => type !== "null") ?? "null";
  const type = kinds[meant]?.type ?? "value_error";
  return {
    type: textual ? type.replace(/^(int|float|bool)_type$/u, "$1_parsing") : type,
    msg: `Expected ${nouns.join(" or ")}.`,
  };
}

function describeFormat(format: string): Misfit {
  if (/date|time/u.test(format)) {
    return {
      type: "datetime_from_date_parsing",
      msg: `Expected a ${format} such as ${format === "date" ? "2026-01-31" : "2026-01-31T12:00:00Z"}.`,
    };
  }
  return { type: "value_error", msg: `Expected text of the format ${format}.` };
}

function list(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return names.length === 1 ? String(names[0]) : `one of ${names.join(", ")}`;
}
