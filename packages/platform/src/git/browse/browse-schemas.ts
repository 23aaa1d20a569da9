import type { JsonSchema } from "@haft/contract";

/** The path parameters of every route that browses a repository. */
export const organizationParams: JsonSchema = {
  type: "object",
  properties: { organization: { type: "string" } },
  required: ["organization"],
};

/** A branch, tag or commit in a query. */
export const refQuery: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: 250,
  description: "A branch, tag or commit hash. Default: the default branch.",
};

/** A path in a query. */
export const pathQuery: JsonSchema = {
  type: "string",
  maxLength: 4_096,
  description: "A path relative to the repository's root.",
};

/** The query parameters of a paged list. */
export const pageQuery: Readonly<Record<string, JsonSchema>> = {
  limit: { type: "integer", minimum: 1, maximum: 100, default: 50 },
  continuation_token: { type: "string", minLength: 1, maxLength: 1_000 },
};

/** Returns the schema of one page of a list. */
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

/** Returns the schema of an object whose properties are all required. */
export function toObjectSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
