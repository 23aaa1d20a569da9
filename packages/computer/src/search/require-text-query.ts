import { type TextQuery, ToolError } from "@haft/contract";

// A program takes no longer argument.
const longestPattern = 100_000;

/** Refuses what no search could answer. */
export function requireTextQuery({ pattern }: TextQuery): void {
  if (/[\n\0]/u.test(pattern)) {
    throw new ToolError(
      "invalid-arguments",
      `The pattern ${JSON.stringify(pattern)} holds a line break or a NUL character, and a match lies within one line of text. Search for a part of it.`,
    );
  }
  if (pattern.length > longestPattern) {
    throw new ToolError(
      "invalid-arguments",
      `The pattern has ${pattern.length} characters; at most ${longestPattern} are searched for. Search for a part of it.`,
    );
  }
}
