import { type TextQuery, ToolError } from "@haft/contract";

// Limit on the length of a program's argument.
const maxPatternLength = 100_000;

/** Refuses queries that no search could answer. */
export function requireTextQuery({ pattern }: TextQuery): void {
  if (/[\n\0]/u.test(pattern)) {
    throw new ToolError(
      "invalid-arguments",
      `The pattern ${JSON.stringify(pattern)} contains a line break or a NUL character, but a match lies within one line. Search for a part of it.`,
    );
  }
  if (pattern.length > maxPatternLength) {
    throw new ToolError(
      "invalid-arguments",
      `The pattern has ${pattern.length} characters; the limit is ${maxPatternLength}. Search for a part of it.`,
    );
  }
}
