import type { ObjectSchema, ToolKind } from "@haft/contract";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import { toPlainLine, toPlainText } from "@haft/core/internal";
import type { ListedTool } from "./listed-tool.ts";
import type { PreparedTool } from "./prepared-tool.ts";
import { translateSchema } from "./translate-schema.ts";

const maxDescriptionLength = 2048;
const maxTitleLength = 200;
const nothing: ObjectSchema = { type: "object", properties: {} };

/** Converts a server's tool. A tool that can't be converted gets a `fault`; others are unaffected. */
export function prepareTool(tool: ListedTool): PreparedTool {
  const hints = isPlainObject(tool.annotations) ? tool.annotations : {};
  const readOnly = hints.readOnlyHint === true;
  const facts = { description: describe(tool, hints.title), kind: toKind(hints), readOnly };
  try {
    const parameters = translateParameters(tool.inputSchema);
    if (tool.outputSchema === undefined) return { ...facts, parameters };
    return { ...facts, parameters, output: translateOutput(tool.outputSchema) };
  } catch (error) {
    return { ...facts, parameters: nothing, fault: toPlainLine(toErrorMessage(error), 500) };
  }
}

function describe(tool: ListedTool, hintedTitle: unknown): string {
  const title = [tool.title, hintedTitle].find((one) => typeof one === "string" && one !== "");
  const heading = typeof title === "string" ? toPlainLine(title, maxTitleLength) : "";
  const text =
    typeof tool.description === "string"
      ? toPlainText(tool.description, maxDescriptionLength).trim()
      : "";
  if (text !== "") return text;
  return heading === "" ? "The server gives no description." : heading;
}

function toKind(hints: Readonly<Record<string, unknown>>): ToolKind {
  if (hints.readOnlyHint === true) return "read";
  return hints.destructiveHint === true ? "edit" : "other";
}

function translateParameters(schema: unknown): ObjectSchema {
  if (!isPlainObject(schema)) throw new Error("its input schema is not an object");
  if (schema.type !== undefined && schema.type !== "object") {
    throw new Error('the root of its input schema must have type "object"');
  }
  return { ...translateSchema(schema), type: "object" };
}

function translateOutput(schema: unknown): NonNullable<PreparedTool["output"]> {
  if (!isPlainObject(schema)) throw new Error("its output schema is not an object");
  return translateSchema(schema);
}
