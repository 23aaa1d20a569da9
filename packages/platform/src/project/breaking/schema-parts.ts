import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, JsonTypeName } from "@haft/contract";

/** A schema where one can stand: truth and falsehood are schemas too. */
export type AnySchema = JsonSchema | boolean;

/** How a schema got narrower. */
export interface BreakingChange {
  /** Such as `address.street` or `tags[]`. */
  readonly field: string;
  /** Goes on after the field: "is now required". */
  readonly reason: string;
}

/** Two schemas to compare, at a place. */
export interface SchemaPair {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly field: string;
}

/** Finds out how `after` takes less than `before`, if it may. */
export type Compare = (
  before: AnySchema,
  after: AnySchema,
  field: string,
) => BreakingChange | undefined;

const annotations = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "$schema",
  "contentEncoding",
  "contentMediaType",
]);

// Below these, names are the schema's own and no keywords.
const named = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
// Below these are values.
const values = new Set(["const", "enum", "required", "dependentRequired"]);

/** A schema without what only describes it. */
function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (annotations.has(key)) continue;
    if (values.has(key)) kept.push([key, value]);
    else if (named.has(key) && typeof value === "object" && value !== null) {
      const inner = Object.entries(value).map(([name, each]) => [name, withoutAnnotations(each)]);
      kept.push([key, Object.fromEntries(inner)]);
    } else kept.push([key, withoutAnnotations(value)]);
  }
  return Object.fromEntries(kept);
}

/** Tells whether two schemas, or parts of them, mean the same for sure. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutAnnotations(one), withoutAnnotations(other));
}

const allTypes: readonly JsonTypeName[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
];

/** The types that a schema takes; `integer` is among them wherever `number` is. */
export function typesOf({ type, nullable }: JsonSchema): ReadonlySet<JsonTypeName> {
  if (type === undefined) return new Set(allTypes);
  const types = new Set<JsonTypeName>(typeof type === "string" ? [type] : type);
  if (types.has("number")) types.add("integer");
  // No keyword of JSON Schema, but the validator knows it.
  if (nullable === true) types.add("null");
  return types;
}
