import type { JsonSchema } from "@haft/contract";
import { toPlainData, toPlainLine, toPlainText } from "../text/plain-text.ts";
import { isSafePattern } from "./safe-pattern.ts";
import { countEffort } from "./schema-effort.ts";
import {
  annotations,
  constraints,
  listsOfSchemas,
  schemaMaps,
  schemas,
} from "./schema-keywords.ts";

const mostBytes = 64 * 1024;
const mostEffort = 20_000;
const deepest = 64;
const longestDescription = 1000;
const longestTitle = 200;

/**
 * Brings a server's schema, of whichever draft, to draft 2020-12 and makes it harmless to look at.
 * Keywords that no draft knows are left out: nobody would judge by them, and a model would read
 * them. What can't be translated throws.
 */
export function translateSchema(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const translation: Translation = {
    ignoresBesideRef: /draft-0[3-7]/u.test(String(schema.$schema ?? "")),
    base: [schema.$id, schema.id].find((id) => typeof id === "string"),
  };
  const translated = translateOne(schema, translation, 0);
  const bytes = JSON.stringify(translated).length;
  if (bytes > mostBytes) throw new Error(`its schema has ${bytes} bytes, the most is ${mostBytes}`);
  if (typeof translated === "object" && countEffort(translated as Schema) > mostEffort) {
    throw new Error("its schema would take too long to try: too many references to references");
  }
  return translated as JsonSchema;
}

interface Translation {
  /** Up to draft-07 nothing counts that stands beside a reference. */
  readonly ignoresBesideRef: boolean;
  /** The schema's own address, if it has one. */
  readonly base: string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

function translateOne(schema: unknown, translation: Translation, depth: number): unknown {
  if (typeof schema === "boolean") return schema;
  if (!isRecord(schema)) throw new Error("a part of its schema is neither an object nor a boolean");
  if (depth > deepest) throw new Error(`its schema is nested more than ${deepest} levels deep`);
  const inner = (part: unknown): unknown => translateOne(part, translation, depth + 1);
  const result: Record<string, unknown> = {};
  translateReference(schema, result, translation);
  if (typeof schema.description === "string") {
    result.description = toPlainText(schema.description, longestDescription);
  }
  if (typeof schema.title === "string") result.title = toPlainLine(schema.title, longestTitle);
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
    if (isRecord(schema[name])) result[name] = mapSchemas(schema[name], inner);
  }
  translateItems(schema, result, inner);
  translateDependencies(schema, result, inner);
  translateBounds(schema, result);
  translatePatterns(schema, result, inner);
  if (result.type === "any") delete result.type;
  // A flag beside the property itself, as draft 3 had it.
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
      throw new Error("its schema refers to another document, which is not fetched");
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
  if (!isRecord(dependencies)) return;
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

// In draft-04 a flag says that the bound itself does not count.
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

// The server judges by its own patterns anyway; one that can't be tried here safely is left to it.
function translatePatterns(schema: Schema, result: Record<string, unknown>, inner: Inner): void {
  if (typeof schema.pattern === "string" && isSafePattern(schema.pattern)) {
    result.pattern = requirePlain(schema.pattern, "pattern");
  }
  if (!isRecord(schema.patternProperties)) return;
  const unsafe = Object.keys(schema.patternProperties).find((pattern) => !isSafePattern(pattern));
  if (unsafe !== undefined) throw new Error("a pattern for names in its schema can't be used");
  result.patternProperties = mapSchemas(schema.patternProperties, inner);
}

function mapSchemas(map: Schema, inner: Inner): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map).map(([name, part]) => [requirePlain(name, "a name"), inner(part)]),
  );
}

// These go back to the server as they are, so they can't be cleaned.
function requirePlain<T>(value: T, keyword: string): T {
  if (JSON.stringify(toPlainData(value)) === JSON.stringify(value)) return value;
  throw new Error(`its schema has hidden characters in ${keyword}`);
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
