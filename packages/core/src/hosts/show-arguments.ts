import type { JsonValue } from "@haft/contract";

/**
 * The arguments of a call as lines for a person. Each line of a text has a mark in front, so that no
 * text can pass for a part of the question.
 */
export function showArguments(args: JsonValue): string[] {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return [JSON.stringify(args)];
  }
  return Object.entries(args).flatMap(([name, value]) => {
    if (typeof value !== "string") return [`  ${name}: ${JSON.stringify(value)}`];
    if (!/[\n\r]/u.test(value)) return [`  ${name}: ${value}`];
    return [`  ${name}:`, ...value.split("\n").map((line) => `    | ${line}`)];
  });
}
