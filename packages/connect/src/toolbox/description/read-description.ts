import { toPlainText } from "@haft/core/internal";
import { readJsonDescription } from "./json-description.ts";
import { readTextDescription } from "./text-description.ts";
import type { ToolDescription } from "./tool-description.ts";

const maxDescriptionLength = 4_000;

/** Reads a script's description, as JSON or else as text. Returns a string if something is wrong. */
export function readDescription(output: string): ToolDescription | string {
  const read = readJsonDescription(output) ?? readTextDescription(output);
  if (typeof read === "string") return read;
  const description = toPlainText(read.description, maxDescriptionLength).trim();
  return description === "" ? "has an empty description" : { ...read, description };
}
