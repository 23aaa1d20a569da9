import type { JsonSchema } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";

/**
 * Returns a schema for a model to read, without what tells it nothing: keywords that constrain nothing,
 * and titles and descriptions that only repeat the name or the obvious. It accepts the same values.
 */
export function slimSchema<Schema extends JsonSchema>(schema: Schema): Schema {
  const found = known.get(schema);
  if (found !== undefined) return found as Schema;
  const { title: _title, ...rest } = schema;
  const text = JSON.stringify(rest);
  const slimmed = slim(rest, {
    // What counts as evaluated depends on keywords that constrain nothing by themselves.
    isExact: text.includes('"unevaluated'),
    hasReferences: /"\$(?:dynamicR|r)ef":/u.test(text),
  }) as Schema;
  known.set(schema, slimmed);
  return slimmed;
}

// Every step shows the same schemas, and callers cache by identity.
const known = new WeakMap<JsonSchema, JsonSchema>();

interface Slimming {
  readonly isExact: boolean;
  readonly hasReferences: boolean;
}

function slim(schema: unknown, slimming: Slimming, name = ""): unknown {
  if (!isPlainObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([keyword, value]) => !isEmpty(keyword, value, slimming))
    .filter(([keyword, value]) => !isDoubled(keyword, value, { name, schema }))
    .map(([keyword, value]): [string, unknown] => {
      if (schemaMaps.has(keyword) && isPlainObject(value)) {
        const members = Object.entries(value);
        return [
          keyword,
          Object.fromEntries(members.map(([key, one]) => [key, slim(one, slimming, key)])),
        ];
      }
      if (!schemas.has(keyword)) return [keyword, value];
      return [
        keyword,
        Array.isArray(value) ? value.map((one) => slim(one, slimming)) : slim(value, slimming),
      ];
    });
  return Object.fromEntries(entries);
}

function isEmpty(keyword: string, value: unknown, { isExact, hasReferences }: Slimming): boolean {
  switch (keyword) {
    case "$comment":
      return true;
    case "$defs":
    case "definitions":
      return !hasReferences;
    case "required":
      return Array.isArray(value) && value.length === 0;
    case "minLength":
    case "minItems":
    case "minProperties":
      return value === 0;
    case "uniqueItems":
      return value === false;
    case "additionalProperties":
      return !isExact && (value === true || JSON.stringify(value) === "{}");
    default:
      return false;
  }
}

interface Named {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

function isDoubled(keyword: string, value: unknown, { name, schema }: Named): boolean {
  if ((keyword !== "title" && keyword !== "description") || typeof value !== "string") return false;
  const { description, type } = schema;
  const words = toWords(name);
  const told = new Set([...words, words.join("")]);
  if (keyword === "title" && typeof description === "string") {
    for (const word of toWords(description)) told.add(word);
  }
  const isFlag = type === "boolean";
  return toWords(value).every(
    (word) => told.has(word) || fillers.has(word) || (isFlag && offByDefault.has(word)),
  );
}

// `filePath`, `file_path` and "File path" are the same words.
function toWords(text: string): string[] {
  const spaced = text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ");
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const fillers: ReadonlySet<string> = new Set(["a", "an", "the", "of"]);
// A flag that is not set is off.
const offByDefault: ReadonlySet<string> = new Set(["default", "false"]);

const schemaMaps: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

const schemas: ReadonlySet<string> = new Set([
  "items",
  "prefixItems",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
]);
