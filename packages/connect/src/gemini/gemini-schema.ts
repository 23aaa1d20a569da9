import type { JsonSchema, JsonTypeName, ObjectSchema } from "@haft/contract";
import { inferTypes, listedValues } from "../formats/infer-types.ts";
import type { WireSchema } from "../formats/plain-schema.ts";

/**
 * Converts a schema to Gemini's subset: one type per schema, several as `anyOf`, and only supported
 * keywords. The session still validates the full schema.
 */
export function toGeminiSchema(schema: ObjectSchema): WireSchema {
  return { ...convertTyped(schema, "object"), type: "object" };
}

type Made = Record<string, unknown>;

function convert(schema: JsonSchema | boolean): Made {
  if (typeof schema === "boolean") return {};
  if (typeof schema.$ref === "string") {
    return { $ref: schema.$ref.replace("#/definitions/", "#/$defs/") };
  }
  const described = schema.description === undefined ? {} : { description: schema.description };
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return { ...described, anyOf: branches.map(convert) };
  const types = inferTypes(schema);
  const [only] = types;
  if (only === undefined) return described;
  if (types.length === 1) return convertTyped(schema, only);
  const { description: _, ...rest } = schema;
  return { ...described, anyOf: types.map((type) => convertTyped(rest, type)) };
}

function convertTyped(schema: JsonSchema, type: JsonTypeName): Made {
  return {
    type,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...listValues(schema, type),
    ...(type === "object" ? convertObject(schema) : {}),
    ...(type === "array" ? convertArray(schema) : {}),
    ...(type === "number" || type === "integer" ? pick(schema, ["minimum", "maximum"]) : {}),
    ...convertDefinitions(schema),
  };
}

// Gemini supports enums of strings and numbers only.
function listValues(schema: JsonSchema, type: JsonTypeName): Made {
  const wanted = type === "string" ? "string" : "number";
  if (type !== "string" && type !== "number" && type !== "integer") return {};
  const values = listedValues(schema)?.filter((value) => typeof value === wanted) ?? [];
  return values.length === 0 ? {} : { enum: values };
}

function convertObject(schema: JsonSchema): Made {
  const { properties = {}, required, additionalProperties: others } = schema;
  const entries = Object.entries(properties);
  return {
    ...(entries.length === 0 ? {} : { properties: mapSchemas(properties) }),
    ...(required === undefined || required.length === 0 ? {} : { required: [...required] }),
    ...(typeof others === "object" ? { additionalProperties: convert(others) } : {}),
    ...(typeof others === "boolean" ? { additionalProperties: others } : {}),
  };
}

function convertArray(schema: JsonSchema): Made {
  const { items, prefixItems } = schema;
  return {
    ...(typeof items === "object" ? { items: convert(items) } : {}),
    ...(prefixItems === undefined ? {} : { prefixItems: prefixItems.map(convert) }),
    ...pick(schema, ["minItems", "maxItems"]),
  };
}

function convertDefinitions({ $defs, definitions }: JsonSchema): Made {
  const all = { ...(definitions as Schemas | undefined), ...($defs as Schemas | undefined) };
  return Object.keys(all).length === 0 ? {} : { $defs: mapSchemas(all) };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

function mapSchemas(schemas: Schemas): Made {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, convert(one)]));
}

function pick(schema: JsonSchema, keywords: readonly string[]): Made {
  return Object.fromEntries(
    keywords.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]),
  );
}
