import type { ObjectSchema } from "@haft/contract";

/**
 * Converts a schema to the form that providers accept without strict mode. They refuse a request with
 * a union at a root or an object without properties. The session still validates the full schema.
 */
export function toPlainSchema(schema: ObjectSchema): WireSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !refusedAtRoot.has(keyword));
  return { properties: {}, ...Object.fromEntries(kept), type: "object" };
}

/** A schema in a request to a provider. */
export interface WireSchema {
  type: "object";
  [keyword: string]: unknown;
}

const refusedAtRoot: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "enum",
  "const",
  "if",
  "then",
  "else",
]);
