import type { JsonSchema } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import {
  type CompiledSchema,
  compileSchema,
  SchemaEffortError,
  type SchemaViolation,
} from "@haft/core/internal";
import type { JsonObject } from "../json.ts";
import { schemaFormats } from "./schema-formats.ts";

/** Returns what is wrong with an input; `undefined` if it is valid. */
export type InputValidator = (input: JsonObject) => string | undefined;

/** Creates a validator for a tool's input schema. Throws an `Error` if it can't be compiled. */
export function createInputValidator(schema: JsonSchema): InputValidator {
  return createValueValidator(schema, "input");
}

/** Creates a validator for any value. `what` names the value in complaints. */
export function createValueValidator(
  schema: JsonSchema,
  what: "input" | "output" | "answer",
): (value: unknown) => string | undefined {
  const compiled = compileInputSchema(schema);
  return (value) => {
    try {
      return compiled.accepts(value) ? undefined : describe(compiled.explain(value)[0], what);
    } catch (error) {
      return describeFailure(error);
    }
  };
}

/** Compiles a tool's input schema. Throws an `Error` that names the invalid keyword. */
export function compileInputSchema(schema: JsonSchema): CompiledSchema {
  return compileSchema(schema, { formats: schemaFormats });
}

function describeFailure(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply to be validated";
  if (error instanceof SchemaEffortError) return `${error.message}. Send fewer or smaller values`;
  throw error;
}

function describe(
  violation: SchemaViolation | undefined,
  what: "input" | "output" | "answer",
): string {
  if (violation === undefined) return `it does not match the ${what} schema`;
  const { keyword, params, message } = violation;
  const field = violation.path.join(".");
  switch (keyword) {
    case "required":
      return `${join(field, String(params.missingProperty))} is missing`;
    case "additionalProperties":
      return `${join(field, String(params.additionalProperty))} is not a field of the ${what} schema`;
    case "unevaluatedProperties":
      return `${join(field, String(params.unevaluatedProperty))} is not a field of the ${what} schema`;
    case "enum":
      return `${field || `the ${what}`} must be one of ${clipText(JSON.stringify(params.allowedValues), 500)}`;
    default:
      return `${field || `the ${what}`} ${message}`;
  }
}

function join(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
