import { type JsonSchema, utf8Head } from "@haft/contract";
import type { ErrorObject } from "ajv/dist/2020.js";
import { nearestNames } from "../registry/nearest-names.ts";

const mostShown = 5;
const mostQuoted = 60;

/** Says what a model has to change, field by field. */
export function describeViolations(
  schema: JsonSchema,
  value: unknown,
  errors: readonly ErrorObject[],
): string[] {
  const seen = new Set<string>();
  for (const error of errors) seen.add(describe(schema, value, error));
  const sentences = [...seen];
  if (sentences.length <= mostShown) return sentences;
  return [...sentences.slice(0, mostShown), `and ${sentences.length - mostShown} more`];
}

function describe(schema: JsonSchema, value: unknown, error: ErrorObject): string {
  const field = toField(error.instancePath);
  const place = field || "the arguments";
  const got = (): string => show(at(value, parts(error.instancePath)));
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "required":
      return `${join(field, String(params.missingProperty))} is missing`;
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const [nearest] = nearestNames(name, namesBeside(schema, error.schemaPath));
      const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
      return `${join(field, name)} is not a known property${hint}`;
    }
    case "type":
      return `${place}: expected ${[params.type].flat().join(" or ")}, got ${got()}`;
    case "enum":
      return `${place}: expected one of ${(params.allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(", ")}, got ${got()}`;
    case "const":
      return `${place}: expected ${JSON.stringify(params.allowedValue)}, got ${got()}`;
    default:
      return `${place} ${error.message ?? "do not fit"}`;
  }
}

/** The properties that the part of the schema which complains does know. */
function namesBeside(schema: JsonSchema, keywordPath: string): string[] {
  const place = parts(keywordPath).slice(0, -1).map(decodeURIComponent);
  const { properties } = (at(schema, place) ?? {}) as JsonSchema;
  return Object.keys(properties ?? {});
}

function toField(pointer: string): string {
  return parts(pointer).reduce(
    (field, part) => (/^\d+$/u.test(part) ? `${field}[${part}]` : join(field, part)),
    "",
  );
}

function join(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}

function parts(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const part of path) found = (found as Record<string, unknown> | undefined)?.[part];
  return found;
}

function show(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = Array.isArray(value) ? "array" : typeof value;
  if (typeof value === "object") return `an ${type}`;
  const text = JSON.stringify(value);
  return `${type} ${text.length > mostQuoted ? `${utf8Head(text, mostQuoted)}…` : text}`;
}
