import type { JsonSchema, JsonTypeName } from "@haft/contract";

/** Returns the types that a schema allows, by `type` or by its listed values. Empty if it names none. */
export function inferTypes(schema: JsonSchema): JsonTypeName[] {
  if (schema.type !== undefined) return [schema.type].flat() as JsonTypeName[];
  const types = new Set(listedValues(schema)?.map(typeOf));
  if (types.has("number")) types.delete("integer");
  return Array.from(types);
}

/** Returns the values of `const` or `enum`, if the schema has one. */
export function listedValues(schema: JsonSchema): readonly unknown[] | undefined {
  return "const" in schema ? [schema.const] : schema.enum;
}

function typeOf(value: unknown): JsonTypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}
