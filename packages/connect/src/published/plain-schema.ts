import type { JsonSchema } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { toPlainText } from "@haft/core/internal";
import { schemaMaps } from "../mcp-client/definition/schema-keywords.ts";

/** Joins what a model is told about a published tool. Without an output schema of its own it is told in words. */
export function describeTool(
  texts: readonly (string | null | undefined)[],
  outputSchema: JsonSchema | null | undefined,
): string {
  return toPlainText([...texts, describeOutput(outputSchema)].filter(Boolean).join("\n\n"));
}

const maxSchemaCharacters = 4_000;

// A result is text for a session, so the model is told its form in words.
function describeOutput(schema: JsonSchema | null | undefined): string {
  const text = schema ? JSON.stringify(toPlainSchema(schema)) : "";
  return text === "" || text.length > maxSchemaCharacters
    ? ""
    : `The output matches this JSON Schema: ${text}`;
}

/** Cleans the texts that a model reads. Names and listed values stay: the tool expects them as they are. */
export function toPlainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toPlainSchema);
  if (!isPlainObject(schema)) return schema;
  return mapValues(schema, (value, keyword) => {
    if (textKeywords.has(keyword) && typeof value === "string") return toPlainText(value);
    if (values.has(keyword)) return value;
    return schemaMaps.includes(keyword) && isPlainObject(value)
      ? mapValues(value, toPlainSchema)
      : toPlainSchema(value);
  });
}

function mapValues(
  fields: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, change(value, key)]),
  );
}

const textKeywords: ReadonlySet<string> = new Set(["title", "description"]);
const values: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);
