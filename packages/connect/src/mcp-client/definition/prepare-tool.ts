import type { ObjectSchema, ToolKind } from "@haft/contract";
import { messageOf } from "../message-of.ts";
import { toPlainLine, toPlainText } from "../text/plain-text.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { PreparedTool } from "./prepared-tool.ts";
import { translateSchema } from "./translate-schema.ts";

const longestDescription = 2048;
const longestTitle = 200;
const nothing: ObjectSchema = { type: "object", properties: {} };

/** Brings a server's tool into our own terms. What can't be is a fault of that tool alone. */
export function prepareTool(tool: ListedTool): PreparedTool {
  const hints = isRecord(tool.annotations) ? tool.annotations : {};
  const readOnly = hints.readOnlyHint === true;
  const facts = { description: describe(tool, hints.title), kind: toKind(hints), readOnly };
  try {
    const parameters = translateParameters(tool.inputSchema);
    if (tool.outputSchema === undefined) return { ...facts, parameters };
    return { ...facts, parameters, output: translateOutput(tool.outputSchema) };
  } catch (error) {
    return { ...facts, parameters: nothing, fault: toPlainLine(messageOf(error), 500) };
  }
}

function describe(tool: ListedTool, hintedTitle: unknown): string {
  const title = [tool.title, hintedTitle].find((one) => typeof one === "string" && one !== "");
  const heading = typeof title === "string" ? toPlainLine(title, longestTitle) : "";
  const text =
    typeof tool.description === "string"
      ? toPlainText(tool.description, longestDescription).trim()
      : "";
  if (text !== "") return text;
  return heading === "" ? "Its server does not say what it does." : heading;
}

function toKind(hints: Readonly<Record<string, unknown>>): ToolKind {
  if (hints.readOnlyHint === true) return "read";
  return hints.destructiveHint === true ? "edit" : "other";
}

function translateParameters(schema: unknown): ObjectSchema {
  if (!isRecord(schema)) throw new Error("its input schema is not an object");
  if (schema.type !== undefined && schema.type !== "object") {
    throw new Error('the root of its input schema must have type "object"');
  }
  return { ...translateSchema(schema), type: "object" };
}

function translateOutput(schema: unknown): NonNullable<PreparedTool["output"]> {
  if (!isRecord(schema)) throw new Error("its output schema is not an object");
  return translateSchema(schema);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
