import { clipText } from "@haft/contract/internal";
import { nearestNames } from "../registry/nearest-names.ts";
import type { SchemaViolation } from "./validator/schema-run.ts";

const maxShown = 5;
const maxQuotedLength = 60;
const maxListLength = 500;
const maxSentenceLength = 1_000;

/** Says what a model has to change, field by field. */
export function describeViolations(
  value: unknown,
  violations: readonly SchemaViolation[],
): string[] {
  const seen = new Set<string>();
  for (const violation of violations) {
    seen.add(clipText(describe(value, violation), maxSentenceLength));
  }
  const sentences = [...seen];
  if (sentences.length <= maxShown) return sentences;
  return [...sentences.slice(0, maxShown), `and ${sentences.length - maxShown} more`];
}

function describe(value: unknown, violation: SchemaViolation): string {
  const { path, params, message } = violation;
  const field = toField(path);
  const place = field || "the arguments";
  const got = (): string => show(at(value, path));
  switch (violation.keyword) {
    case "required":
      return `${join(field, String(params.missingProperty))} is missing`;
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const [nearest] = nearestNames(name, Object.keys(violation.schema.properties ?? {}));
      const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
      return `${join(field, name)} is not a known property${hint}`;
    }
    case "type":
      return `${place}: expected ${[params.type].flat().join(" or ")}, got ${got()}`;
    case "enum":
      return `${place}: expected one of ${list(params.allowedValues as unknown[])}, got ${got()}`;
    case "const":
      return `${place}: expected ${list([params.allowedValue])}, got ${got()}`;
    default:
      return `${place} ${message}`;
  }
}

function list(values: readonly unknown[]): string {
  let text = "";
  for (const value of values) {
    if (text.length > maxListLength) return `${text}, …`;
    text += `${text === "" ? "" : ", "}${clipText(JSON.stringify(value), maxListLength)}`;
  }
  return text;
}

function toField(path: SchemaViolation["path"]): string {
  return path.reduce<string>(
    (field, part) => (typeof part === "number" ? `${field}[${part}]` : join(field, part)),
    "",
  );
}

function join(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}

function at(value: unknown, path: SchemaViolation["path"]): unknown {
  let found = value;
  for (const part of path) found = (found as Record<string, unknown> | undefined)?.[part];
  return found;
}

function show(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = Array.isArray(value) ? "array" : typeof value;
  if (typeof value === "object") return `an ${type}`;
  const text = typeof value === "string" ? value.slice(0, maxQuotedLength + 1) : value;
  return `${type} ${clipText(JSON.stringify(text), maxQuotedLength)}`;
}
