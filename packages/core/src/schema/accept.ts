import type { JsonSchema, JsonTypeName } from "@haft/contract";

/**
 * Whether a value certainly fits a schema. It knows only the keywords below and answers `false`
 * for anything else, so `true` is proof and `false` is a question for the full validator. A
 * process that makes one call thus never pays for loading and running a schema compiler.
 */
export function accepts(schema: JsonSchema, value: unknown): boolean {
  let understood = understoodSchemas.get(schema);
  if (understood === undefined) {
    understood = understands(schema);
    understoodSchemas.set(schema, understood);
  }
  return understood && fitsSchema(schema, value);
}

const understoodSchemas = new WeakMap<JsonSchema, boolean>();

const typeChecks: Readonly<Record<JsonTypeName, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: Number.isFinite,
  integer: Number.isInteger,
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

// What each known keyword must look like. A schema is understood only as a whole: a fault in a
// part that this value does not touch is still a fault, which the compiler will name.
const keywords = new Map<string, (value: unknown) => boolean>([
  ["type", (type) => (Array.isArray(type) ? isDistinct(type, isTypeName) : isTypeName(type))],
  ["enum", (values) => Array.isArray(values) && values.length > 0],
  ["const", () => true],
  ["properties", isUnderstoodProperties],
  [
    "required",
    (names) => Array.isArray(names) && (names.length === 0 || isDistinct(names, isText)),
  ],
  ["additionalProperties", understands],
  ["items", understands],
  ["minItems", isCount],
  ["maxItems", isCount],
  ["minimum", Number.isFinite],
  ["maximum", Number.isFinite],
  ["minLength", isCount],
  ["maxLength", isCount],
  ["title", isText],
  ["description", isText],
  ["default", () => true],
  ["examples", Array.isArray],
]);

function understands(schema: unknown): boolean {
  if (typeof schema === "boolean") return true;
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(
    ([keyword, value]) => value === undefined || keywords.get(keyword)?.(value) === true,
  );
}

function isUnderstoodProperties(properties: unknown): boolean {
  // The compiler leaves `__proto__` out, so the two would judge it differently.
  if (!isObject(properties) || Object.hasOwn(properties, "__proto__")) return false;
  return Object.values(properties).every(understands);
}

function fitsSchema(schema: JsonSchema | boolean, value: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  if (schema.type !== undefined && !fitsType(schema.type, value)) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value as never)) return false;
  if (schema.const !== undefined && schema.const !== value) return false;
  if (typeof value === "number") return isWithin(value, schema.minimum, schema.maximum);
  if (typeof value === "string") return fitsString(schema, value);
  if (Array.isArray(value)) return fitsArray(schema, value);
  if (isObject(value)) return fitsObject(schema, value);
  return true;
}

function fitsType(type: NonNullable<JsonSchema["type"]>, value: unknown): boolean {
  if (typeof type === "string") return typeChecks[type](value);
  return type.some((one) => typeChecks[one](value));
}

function fitsString(schema: JsonSchema, value: string): boolean {
  if (schema.minLength === undefined && schema.maxLength === undefined) return true;
  // JSON Schema counts characters; a string without surrogates has as many as it has units.
  if (/[\ud800-\udfff]/.test(value)) return false;
  return isWithin(value.length, schema.minLength, schema.maxLength);
}

function fitsArray(schema: JsonSchema, value: readonly unknown[]): boolean {
  if (!isWithin(value.length, schema.minItems, schema.maxItems)) return false;
  const { items } = schema;
  if (items === undefined || items === true) return true;
  // Not `every`, which passes over the holes of a sparse array.
  for (const item of value) if (!fitsSchema(items, item)) return false;
  return true;
}

function fitsObject(schema: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  for (const name of required) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) return false;
  }
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!fitsSchema(known ?? additionalProperties, value[name])) return false;
  }
  return true;
}

function isWithin(value: number, least: unknown, most: unknown): boolean {
  return (
    (least === undefined || value >= (least as number)) &&
    (most === undefined || value <= (most as number))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTypeName(value: unknown): boolean {
  return typeof value === "string" && Object.hasOwn(typeChecks, value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isDistinct(values: readonly unknown[], isMember: (value: unknown) => boolean): boolean {
  return values.length > 0 && values.every(isMember) && new Set(values).size === values.length;
}
