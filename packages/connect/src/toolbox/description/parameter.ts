import type { JsonSchema, JsonTypeName, ObjectSchema } from "@haft/contract";
import { toPlainText } from "@haft/core/internal";

/** One parameter of a script. */
export interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

const types: readonly string[] = ["string", "boolean", "number", "integer", "array", "object"];
const maxTextLength = 1_000;

/** Reads a parameter. A type that ends with `?` is optional. Returns a string if the name is invalid. */
export function readParameter(name: string, type: string, text: string): Parameter | string {
  if (!/^[\w.-]{1,64}$/u.test(name)) {
    return `has an invalid parameter name, ${JSON.stringify(name.slice(0, 80))}. Use letters, digits, _, - and .`;
  }
  const bare = type.replace(/\?$/u, "").toLowerCase();
  const isKnown = types.includes(bare);
  // A first word that is not a type belongs to the description.
  const said = toPlainText(isKnown ? text : `${type} ${text}`, maxTextLength).trim();
  return {
    name,
    schema: {
      type: isKnown ? (bare as JsonTypeName) : "string",
      ...(said !== "" && { description: said }),
    },
    isRequired: !type.endsWith("?") && !/^\(?optional\b/iu.test(said),
  };
}

/** Returns the schema of these parameters. */
export function toSchema(parameters: readonly Parameter[]): ObjectSchema {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}
