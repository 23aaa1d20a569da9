import type { ShownTool } from "../session/shown-tools.ts";

const charactersPerToken = 4;

/**
 * Estimates the tokens of a text: a quarter of its characters. That is close for English and code, and
 * too low for Chinese or Japanese. Providers count for themselves.
 */
export function tokensOfText(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Estimates the tokens of a tool's definition: its name, description and input schema. */
export function tokensOfDefinition({
  name,
  description,
  input_schema,
}: Pick<ShownTool, "name" | "description" | "input_schema">): number {
  return tokensOfText(JSON.stringify({ name, description, inputSchema: input_schema }));
}
