import type { JsonSchema } from "@haft/contract";

/** A text. */
export const text: JsonSchema = { type: "string" };

/** A moment. */
export const moment: JsonSchema = { type: "string", format: "date-time" };

/** An object that has all of these. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** A list. */
export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** What is in the path; `organization` is in all of them. */
export function paramsOf(...names: readonly string[]): JsonSchema {
  return objectOf(Object.fromEntries(["organization", ...names].map((name) => [name, text])));
}
