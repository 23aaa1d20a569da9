import type { JsonSchema, JsonTypeName } from "@haft/contract";

/** The types a schema allows, be it by `type` or by the values it lists; none if it says nothing. */
export function inferTypes(schema: JsonSchema): JsonTypeName[] {
  if (schema.type !== undefined) return [schema.type].flat() as JsonTypeName[];
  const types = new Set(listedValues(schema)?.map(typeOf));
  if (types.has("number")) types.delete("integer");
  return Array.from(types);
}

/** The values to which a schema limits itself, if it does. */
export function listedValues(schema: JsonSchema): readonly unknown[] | undefined {
  return "const" in schema ? [schema.const] : schema.enum;
}

function typeOf(value: unknown): JsonTypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}
