import type { JsonSchema } from "@haft/contract";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { JsonObject } from "../json.ts";
import { compilePattern } from "./schema-pattern.ts";

/** Says what is wrong with an input, `undefined` if nothing is. */
export type InputValidator = (input: JsonObject) => string | undefined;

/** Compiles a tool's input schema. Throws an `Error` that says why, if that can't be done. */
export function createInputValidator(schema: JsonSchema): InputValidator {
  const validate = compile(schema);
  return (input) => {
    try {
      return validate(input) ? undefined : describeFirst(validate.errors ?? []);
    } catch (error) {
      // There are schemas that compile and then can't be run.
      return `the input schema can't be applied to it (${(error as Error).message})`;
    }
  };
}

function compile(schema: JsonSchema): ValidateFunction {
  // Each schema has its own: what one calls itself can't get in the way of another.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    validateFormats: true,
    logger: false,
    loopRequired: 50,
    loopEnum: 50,
    code: { regExp },
  });
  formats.default(ajv, { mode: "fast" });
  return ajv.compile(schema as Record<string, unknown>);
}

function describeFirst(errors: readonly ErrorObject[]): string {
  const [error] = errors;
  if (error === undefined) return "it does not fit the input schema";
  const field = toField(error.instancePath);
  const { params } = error as ErrorObject<string, Record<string, unknown>>;
  switch (error.keyword) {
    case "required":
      return `${join(field, String(params.missingProperty))} is missing`;
    case "additionalProperties":
      return `${join(field, String(params.additionalProperty))} is not a field of the input schema`;
    case "unevaluatedProperties":
      return `${join(field, String(params.unevaluatedProperty))} is not a field of the input schema`;
    case "enum":
      return `${field || "the input"} must be one of ${JSON.stringify(params.allowedValues).slice(0, 500)}`;
    default:
      return `${field || "the input"} ${error.message ?? "does not fit the input schema"}`;
  }
}

function toField(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

function join(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}

// The compiler wants to know how its code could be written down, which it never is.
const regExp = Object.assign((pattern: string) => compilePattern(pattern), { code: "" });
