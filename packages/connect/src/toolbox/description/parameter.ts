import type { JsonSchema, JsonTypeName, ObjectSchema } from "@haft/contract";
import { toPlainText } from "../../mcp-client/text/plain-text.ts";

/** One parameter of a script. */
export interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

const types: readonly string[] = ["string", "boolean", "number", "integer", "array", "object"];
const longestText = 1_000;

/** Reads a parameter's type, which `?` makes optional, and what is said of it. */
export function readParameter(name: string, type: string, text: string): Parameter | string {
  if (!/^[\w.-]{1,64}$/u.test(name)) {
    return `has the parameter ${JSON.stringify(name.slice(0, 80))}; names are letters, digits, _, - and .`;
  }
  const bare = type.replace(/\?$/u, "").toLowerCase();
  const isKnown = types.includes(bare);
  // A word that is no type begins the description.
  const said = toPlainText(isKnown ? text : `${type} ${text}`, longestText).trim();
  return {
    name,
    schema: {
      type: isKnown ? (bare as JsonTypeName) : "string",
      ...(said !== "" && { description: said }),
    },
    isRequired: !type.endsWith("?") && !/^\(?optional\b/iu.test(said),
  };
}

/** The schema of arguments that have these parameters. */
export function toSchema(parameters: readonly Parameter[]): ObjectSchema {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}
