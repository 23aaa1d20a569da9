import type { ToolDescription } from "./description/tool-description.ts";

/**
 * Formats arguments for a script's standard input: JSON, or `key: value` lines if the script describes
 * itself in such lines. Nested values become `key_0` and `key_name`, line breaks become `\n`.
 */
export function toStandardInput(args: unknown, format: ToolDescription["format"]): string {
  if (format === "json") return JSON.stringify(args);
  return listLines("", args)
    .map((line) => `${line}\n`)
    .join("");
}

function listLines(name: string, value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [`${name}: ${oneLine(String(value))}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    listLines(oneLine(name === "" ? key : `${name}_${key}`), inner),
  );
}

// A value must not be read as further arguments.
function oneLine(text: string): string {
  return text.replaceAll(/\r?\n|\r/gu, "\\n");
}
