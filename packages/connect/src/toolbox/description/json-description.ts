import type { ObjectSchema } from "@haft/contract";
import { translateSchema } from "../../mcp-client/definition/translate-schema.ts";
import { type Parameter, readParameter, toSchema } from "./parameter.ts";
import type { ToolDescription } from "./tool-description.ts";

/**
 * Reads a description in JSON. What is wrong with it is a text; `undefined` says that it is none, and
 * may be text.
 */
export function readJsonDescription(output: string): ToolDescription | string | undefined {
  const given = parseObject(output);
  if (given === undefined) return undefined;
  const { name, description, subagentTypes } = given;
  if (typeof description !== "string" || description.trim() === "") {
    return "has no description in its JSON, which a model needs";
  }
  if (name !== undefined && typeof name !== "string") return "has a name that is no text";
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
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readSchema({
  inputSchema,
}: Readonly<Record<string, unknown>>): ObjectSchema | string | undefined {
  if (inputSchema === undefined) return undefined;
  if (!isObject(inputSchema)) return "has an inputSchema that is no object";
  const { type = "object", properties = {} } = inputSchema;
  if (type !== "object" || !isObject(properties)) {
    return 'has an inputSchema whose root is not of the type "object"';
  }
  try {
    return { ...translateSchema(inputSchema), type: "object" };
  } catch (error) {
    return `has an inputSchema that can't be used: ${(error as Error).message}`;
  }
}

function readArguments(args: unknown = {}): ObjectSchema | string {
  if (!isObject(args)) return "has args that are no object";
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
