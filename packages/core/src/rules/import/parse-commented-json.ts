import type { JsonValue } from "@haft/contract";

// A text is taken whole, so that what looks like a comment inside it stays.
const comments = /"(?:\\.|[^"\\])*(?:"|$)|\/\/[^\n\r]*|\/\*.*?\*\//gsu;
const lastCommas = /"(?:\\.|[^"\\])*(?:"|$)|,(?=\s*[\]}])/gsu;

/** Reads JSON as editors write settings: with comments, and with commas after the last element. */
export function parseCommentedJson(text: string): JsonValue {
  const plain = text
    .replace(/^\ufeff/u, "")
    .replaceAll(comments, blank)
    .replaceAll(lastCommas, blank);
  return JSON.parse(plain) as JsonValue;
}

// Lines stay where they are, so that an error names the right one.
function blank(piece: string): string {
  return piece.startsWith('"') ? piece : piece.replaceAll(/[^\n\r]/gu, " ");
}
