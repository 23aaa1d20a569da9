import type { JsonSchema, JsonTypeName } from "@haft/contract";

/** A schema, or `true` or `false`, which are schemas too. */
export type AnySchema = JsonSchema | boolean;

/** How a schema got narrower. */
export interface BreakingChange {
  /** Such as `address.street` or `tags[]`. */
  readonly field: string;
  /** Continues a sentence that starts with the field: "is now required". */
  readonly reason: string;
}

/** Two schemas of the same field. */
export interface SchemaPair {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly field: string;
}

/** Returns how `after` may accept less than `before`; `undefined` if it surely does not. */
export type Compare = (
  before: AnySchema,
  after: AnySchema,
  field: string,
) => BreakingChange | undefined;

/** The functions that comparisons of nested schemas use. */
export interface Comparer {
  readonly compare: Compare;
  /** Whether a pattern of a schema matches a name. */
  matches(pattern: string, name: string): boolean;
}

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

// The keys below these are names, not keywords.
const named = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
// Below these are values, not schemas.
const values = new Set(["const", "enum", "required", "dependentRequired"]);

// Cached, because the same schemas are compared many times.
const texts = new WeakMap<object, string>();

/** Returns a text that is equal for schemas that surely mean the same. */
export function toComparableText(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema) ?? "";
  let text = texts.get(schema);
  if (text === undefined) {
    text = Array.isArray(schema) ? `[${schema.map(toComparableText).join()}]` : writeSchema(schema);
    texts.set(schema, text);
  }
  return text;
}

function writeSchema(schema: object): string {
  return writeObject(schema, (key, value) => {
    if (annotations.has(key)) return undefined;
    if (values.has(key)) return writeValue(value);
    const isNamed = named.has(key) && typeof value === "object" && value !== null;
    return isNamed
      ? writeObject(value, (_, part) => toComparableText(part))
      : toComparableText(value);
  });
}

function writeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  return writeObject(value, (_, part) => writeValue(part));
}

function writeObject(
  object: object,
  write: (key: string, value: unknown) => string | undefined,
): string {
  let text = "";
  for (const [key, value] of Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const written = write(key, value);
    if (written !== undefined) text += `${JSON.stringify(key)}:${written},`;
  }
  return `{${text}}`;
}

/** Tells whether two schemas, or parts of them, surely mean the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || toComparableText(one) === toComparableText(other);
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

/** Returns the types that a schema accepts. `integer` is included where `number` is. */
export function typesOf({ type, nullable }: JsonSchema): ReadonlySet<JsonTypeName> {
  if (type === undefined) return new Set(allTypes);
  const types = new Set<JsonTypeName>(typeof type === "string" ? [type] : type);
  if (types.has("number")) types.add("integer");
  // Not a keyword of JSON Schema, but the validator supports it.
  if (nullable === true) types.add("null");
  return types;
}
