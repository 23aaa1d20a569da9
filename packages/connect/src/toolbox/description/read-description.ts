import { toPlainText } from "../../mcp-client/text/plain-text.ts";
import { readJsonDescription } from "./json-description.ts";
import { readTextDescription } from "./text-description.ts";
import type { ToolDescription } from "./tool-description.ts";

const longestDescription = 4_000;

/** Reads what a script printed of itself, as JSON or else as text; what is wrong with it is a text. */
export function readDescription(output: string): ToolDescription | string {
  const read = readJsonDescription(output) ?? readTextDescription(output);
  if (typeof read === "string") return read;
  const description = toPlainText(read.description, longestDescription).trim();
  return description === ""
    ? "has a description in which nothing can be read"
    : { ...read, description };
}
