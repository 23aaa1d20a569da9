import type { ObjectSchema } from "@haft/contract";

/**
 * A schema as providers take it when nothing is strict. They refuse a whole request for a union at
 * a root or an object without properties; the session still holds calls to the full schema.
 */
export function toPlainSchema(schema: ObjectSchema): WireSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !refusedAtRoot.has(keyword));
  return { properties: {}, ...Object.fromEntries(kept), type: "object" };
}

/** A schema on its way to a provider. */
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
