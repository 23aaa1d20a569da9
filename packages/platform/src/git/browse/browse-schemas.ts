import type { JsonSchema } from "@haft/contract";

/** What is in the path of every route that looks into a repository. */
export const placeParams: JsonSchema = {
  type: "object",
  properties: { organization: { type: "string" } },
  required: ["organization"],
};

/** A branch, tag or commit in a query. */
export const refQuery: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: 250,
  description: "A branch, a tag, or a commit's hash. The default branch if it is left out.",
};

/** A path in a query. */
export const pathQuery: JsonSchema = {
  type: "string",
  maxLength: 4_096,
  description: "A path from the repository's root.",
};

/** What says which part of a list is wanted. */
export const pageQuery: Readonly<Record<string, JsonSchema>> = {
  limit: { type: "integer", minimum: 1, maximum: 100, default: 50 },
  continuation_token: { type: "string", minLength: 1, maxLength: 1_000 },
};

/** An answer that is a part of a list. */
export function toPageSchema(name: string, item: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      [name]: { type: "array", items: item },
      has_more: { type: "boolean" },
      continuation_token: { type: ["string", "null"] },
    },
    required: [name, "has_more", "continuation_token"],
  };
}

/** An object of which every property is always there. */
export function toObjectSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
