import type { ObjectSchema } from "@haft/contract";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import { translateSchema } from "../../mcp-client/definition/translate-schema.ts";
import { type Parameter, readParameter, toSchema } from "./parameter.ts";
import type { ToolDescription } from "./tool-description.ts";

/**
 * Reads a description in JSON. Returns a string that says what is wrong, or `undefined` if the output
 * is not JSON and may be in the text format.
 */
export function readJsonDescription(output: string): ToolDescription | string | undefined {
  const given = parseObject(output);
  if (given === undefined) return undefined;
  const { name, description, subagentTypes } = given;
  if (typeof description !== "string" || description.trim() === "") {
    return 'has no "description" in its JSON';
  }
  if (name !== undefined && typeof name !== "string") return 'has a "name" that is not a string';
  const parameters = readSchema(given) ?? readArguments(given.args);
  if (typeof parameters === "string") return parameters;
  return {
    format: "json",
    ...(name !== undefined && { name }),
    description,
    parameters,
    ...(isTexts(subagentTypes) && { subagentTypes }),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readSchema({
  inputSchema,
}: Readonly<Record<string, unknown>>): ObjectSchema | string | undefined {
  if (inputSchema === undefined) return undefined;
  if (!isPlainObject(inputSchema)) return "has an inputSchema that is not an object";
  const { type = "object", properties = {} } = inputSchema;
  if (type !== "object" || !isPlainObject(properties)) {
    return 'has an inputSchema whose root type is not "object"';
  }
  try {
    return { ...translateSchema(inputSchema), type: "object" };
  } catch (error) {
    return `has an inputSchema that can't be used: ${toErrorMessage(error)}`;
  }
}

function readArguments(args: unknown = {}): ObjectSchema | string {
  if (!isPlainObject(args)) return 'has "args" that are not an object';
  const parameters: Parameter[] = [];
  for (const [name, given] of Object.entries(args)) {
    const words = typeof given === "string" ? [given] : given;
    if (!isTexts(words)) {
      return `has the argument ${JSON.stringify(name.slice(0, 80))}, which is not ["type", "description"]`;
    }
    const [type = "", text = ""] = words;
    const parameter = readParameter(name, type, text);
    if (typeof parameter === "string") return parameter;
    parameters.push(parameter);
  }
  return toSchema(parameters);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
