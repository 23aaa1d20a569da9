import type { JsonSchema } from "@haft/contract";
import { describeViolations } from "./describe-violations.ts";
import { type CompiledSchema, compileSchema } from "./validator/compile-schema.ts";

const known = new WeakMap<JsonSchema, CompiledSchema | { readonly fault: unknown }>();

/** Whether a value fits a schema. A schema that does not compile throws. */
export function fits(schema: JsonSchema, value: unknown): boolean {
  return compiled(schema).accepts(value);
}

/** Whether a value is known to fit: not where the schema does not compile, or takes too long to try. */
export function certainlyFits(schema: JsonSchema, value: unknown): boolean {
  try {
    return compiled(schema).accepts(value);
  } catch {
    return false;
  }
}

/** The ways in which a value that did not fit violates its schema, as sentences. */
export function violations(schema: JsonSchema, value: unknown): string[] {
  return describeViolations(value, compiled(schema).explain(value));
}

/** A schema, compiled when it is first used. What is wrong with it is thrown each time. */
export function compiled(schema: JsonSchema): CompiledSchema {
  const found = known.get(schema) ?? compileNew(schema);
  if ("fault" in found) throw found.fault;
  return found;
}

function compileNew(schema: JsonSchema): CompiledSchema | { readonly fault: unknown } {
  let result: CompiledSchema | { readonly fault: unknown };
  try {
    result = compileSchema(schema);
  } catch (fault) {
    result = { fault };
  }
  known.set(schema, result);
  return result;
}
