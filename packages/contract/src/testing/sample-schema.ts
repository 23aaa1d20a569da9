import type { JsonSchema, JsonValue } from "../json-schema.ts";

/** Returns values that probably fit a schema: its examples, one with all and one with only the required properties. */
export function sampleSchema(schema: JsonSchema): JsonValue[] {
  const examples = Array.isArray(schema.examples) ? (schema.examples as JsonValue[]) : [];
  return [...examples, makeSample(schema, () => true), makeSample(schema, isRequired)];
}

type Wanted = (schema: JsonSchema, name: string) => boolean;

const isRequired: Wanted = (schema, name) => schema.required?.includes(name) === true;

function makeSample(schema: JsonSchema, wanted: Wanted): JsonValue {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default as JsonValue;
  const branch = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf)?.[0] : undefined;
  if (branch !== undefined)
    return makeSample({ ...schema, ...branch, anyOf: [], oneOf: [] }, wanted);
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const minimum = typeof schema.minimum === "number" ? schema.minimum : 1;
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "string":
      return "sample".padEnd(typeof schema.minLength === "number" ? schema.minLength : 0, "-");
    case "number":
    case "integer":
      return minimum;
    case "boolean":
      return true;
    case "array":
      return sampleItems(schema, wanted);
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => wanted(schema, name))
          .map(([name, property]) => [name, makeSample(property, wanted)]),
      );
    default:
      return null;
  }
}

function sampleItems(schema: JsonSchema, wanted: Wanted): JsonValue[] {
  const leading = (schema.prefixItems ?? []).map((item) => makeSample(item, wanted));
  if (typeof schema.items !== "object") return leading;
  const minItems = typeof schema.minItems === "number" ? schema.minItems : 1;
  while (leading.length < minItems) leading.push(makeSample(schema.items, wanted));
  return leading;
}
