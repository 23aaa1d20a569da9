import type { JsonSchema } from "@haft/contract";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import {
  compilePattern,
  compileSchema,
  toPlainData,
  toPlainLine,
  toPlainText,
} from "@haft/core/internal";
import {
  annotations,
  constraints,
  listsOfSchemas,
  schemaMaps,
  schemas,
} from "./schema-keywords.ts";

const maxBytes = 64 * 1024;
const maxDepth = 64;
const maxDescriptionLength = 1000;
const maxTitleLength = 200;

/**
 * Translates a schema of any draft to draft 2020-12 and removes hidden characters from its texts.
 * Unknown keywords are dropped: no validator uses them, but a model would read them. Throws if the
 * schema can't be translated.
 */
export function translateSchema(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const translation: Translation = {
    ignoresBesideRef: /draft-0[3-7]/u.test(String(schema.$schema ?? "")),
    base: [schema.$id, schema.id].find((id) => typeof id === "string"),
  };
  const translated = translateOne(schema, translation, 0);
  const bytes = JSON.stringify(translated).length;
  if (bytes > maxBytes) throw new Error(`its schema has ${bytes} bytes; the limit is ${maxBytes}`);
  requireUsable(translated as JsonSchema);
  return translated as JsonSchema;
}

function requireUsable(schema: JsonSchema): void {
  try {
    compileSchema(schema);
  } catch (error) {
    throw new Error(`its schema can't be used: ${toErrorMessage(error)}`);
  }
}

interface Translation {
  /** Up to draft-07, keywords beside a `$ref` have no effect. */
  readonly ignoresBesideRef: boolean;
  /** The schema's `$id`, if it has one. */
  readonly base: string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

function translateOne(schema: unknown, translation: Translation, depth: number): unknown {
  if (typeof schema === "boolean") return schema;
  if (!isPlainObject(schema))
    throw new Error("a part of its schema is neither an object nor a boolean");
  if (depth > maxDepth) throw new Error(`its schema is nested more than ${maxDepth} levels deep`);
  const inner = (part: unknown): unknown => translateOne(part, translation, depth + 1);
  const result: Record<string, unknown> = {};
  translateReference(schema, result, translation);
  if (typeof schema.description === "string") {
    result.description = toPlainText(schema.description, maxDescriptionLength);
  }
  if (typeof schema.title === "string") result.title = toPlainLine(schema.title, maxTitleLength);
  for (const name of annotations) {
    if (schema[name] !== undefined) result[name] = toPlainData(schema[name]);
  }
  if (translation.ignoresBesideRef && result.$ref !== undefined) return result;
  for (const name of constraints) {
    if (schema[name] !== undefined) result[name] = requirePlain(schema[name], name);
  }
  for (const name of schemas) {
    if (schema[name] !== undefined) result[name] = inner(schema[name]);
  }
  for (const name of listsOfSchemas) {
    const list = schema[name];
    if (Array.isArray(list)) result[name] = list.map(inner);
  }
  for (const name of schemaMaps) {
    if (isPlainObject(schema[name])) result[name] = mapSchemas(schema[name], inner);
  }
  translateItems(schema, result, inner);
  translateDependencies(schema, result, inner);
  translateBounds(schema, result);
  translatePatterns(schema, result, inner);
  if (result.type === "any") delete result.type;
  // Draft-03 has a flag beside the property itself.
  if (typeof schema.required === "boolean") delete result.required;
  return result;
}

function translateReference(
  schema: Schema,
  result: Record<string, unknown>,
  { base }: Translation,
): void {
  const given = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
  if (given !== undefined) {
    const reference =
      typeof given === "string" && base !== undefined && given.startsWith(`${base}#`)
        ? given.slice(base.length)
        : given;
    if (typeof reference !== "string" || !reference.startsWith("#")) {
      throw new Error(
        "its schema refers to another document; only references within the schema are supported",
      );
    }
    requirePlain(reference, "$ref");
    result[schema.$dynamicRef === undefined ? "$ref" : "$dynamicRef"] = reference;
  }
  const id = schema.$id ?? schema.id;
  const anchor = typeof id === "string" && /^#[\w.-]+$/u.test(id) ? id.slice(1) : schema.$anchor;
  if (typeof anchor === "string") result.$anchor = requirePlain(anchor, "$anchor");
  if (typeof schema.$dynamicAnchor === "string") {
    result.$dynamicAnchor = requirePlain(schema.$dynamicAnchor, "$dynamicAnchor");
  }
}

type Inner = (part: unknown) => unknown;

function translateItems(schema: Schema, result: Record<string, unknown>, inner: Inner): void {
  if (Array.isArray(schema.items)) {
    result.prefixItems = schema.items.map(inner);
    if (schema.additionalItems !== undefined) result.items = inner(schema.additionalItems);
  } else if (schema.items !== undefined) result.items = inner(schema.items);
}

function translateDependencies(
  { dependencies }: Schema,
  result: Record<string, unknown>,
  inner: Inner,
): void {
  if (!isPlainObject(dependencies)) return;
  const names: Record<string, unknown> = { ...(result.dependentRequired as object | undefined) };
  const parts: Record<string, unknown> = { ...(result.dependentSchemas as object | undefined) };
  for (const [name, needed] of Object.entries(dependencies)) {
    requirePlain(name, "dependencies");
    if (typeof needed === "string") names[name] = [requirePlain(needed, "dependencies")];
    else if (Array.isArray(needed)) names[name] = requirePlain(needed, "dependencies");
    else parts[name] = inner(needed);
  }
  if (Object.keys(names).length > 0) result.dependentRequired = names;
  if (Object.keys(parts).length > 0) result.dependentSchemas = parts;
}

// In draft-04 the exclusive bounds are flags.
function translateBounds(schema: Schema, result: Record<string, unknown>): void {
  for (const [flag, bound] of boundFlags) {
    if (typeof schema[flag] !== "boolean") continue;
    delete result[flag];
    if (!schema[flag] || schema[bound] === undefined) continue;
    result[flag] = schema[bound];
    delete result[bound];
  }
}

const boundFlags: readonly (readonly [string, string])[] = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
];

// The server checks its patterns itself, so one that is unsupported here can be dropped.
function translatePatterns(schema: Schema, result: Record<string, unknown>, inner: Inner): void {
  if (typeof schema.pattern === "string" && isUsable(schema.pattern)) {
    result.pattern = requirePlain(schema.pattern, "pattern");
  }
  if (!isPlainObject(schema.patternProperties)) return;
  const unusable = Object.keys(schema.patternProperties).find((pattern) => !isUsable(pattern));
  if (unusable !== undefined)
    throw new Error("its schema has an unsupported pattern in patternProperties");
  result.patternProperties = mapSchemas(schema.patternProperties, inner);
}

function isUsable(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

function mapSchemas(map: Schema, inner: Inner): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map).map(([name, part]) => [requirePlain(name, "a name"), inner(part)]),
  );
}

// These values are sent back to the server, so they can't be cleaned.
function requirePlain<T>(value: T, keyword: string): T {
  if (JSON.stringify(toPlainData(value)) === JSON.stringify(value)) return value;
  throw new Error(`its schema has hidden characters in ${keyword}`);
}
