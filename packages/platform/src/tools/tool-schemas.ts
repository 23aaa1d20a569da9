import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";

// The types of the API's values are derived from these schemas. A declaration has to stand for itself,
// so a schema that contains another names its type: `tags: tags as typeof tags`.

// Text is trimmed before it is used, so the patterns allow blanks at both ends. Text must not contain
// a NUL, which PostgreSQL can't store.
const description = {
  type: "string",
  minLength: 1,
  maxLength: 20_000,
  pattern: "^\\s*[^\\s\\u0000][^\\u0000]*$",
} as const;
const word = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^\\s*\\w[\\w\\s]*$",
} as const;
const tags = {
  type: "object",
  maxProperties: 20,
  propertyNames: word as typeof word,
  additionalProperties: { anyOf: [word as typeof word, { type: "null" }] },
} as const;
const variableName = {
  type: "string",
  minLength: 1,
  pattern: "^\\s*[A-Z_]+\\s*$",
  maxLength: 200,
} as const;

/** The organization and the tool in a path. */
export const toolParams = {
  type: "object",
  properties: {
    organization: { type: "string" },
    tool_id: { type: "string", pattern: idPattern as string },
  },
  required: ["organization", "tool_id"],
} as const;

/** A tool to create. */
export const newToolBody = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, pattern: "^\\s*[a-z0-9_]+\\s*$" },
    description: description as typeof description,
    tags: tags as typeof tags,
  },
  required: ["name", "description", "tags"],
} as const;

/** Changes of a tool. Absent or null members stay as they are; tags are replaced as a whole. */
export const toolModificationBody = {
  type: "object",
  properties: {
    // Only for callers that send a whole tool: a name can't change.
    name: { anyOf: [{ type: "string" }, { type: "null" }] },
    description: { anyOf: [description as typeof description, { type: "null" }] },
    tags: { anyOf: [tags as typeof tags, { type: "null" }] },
  },
} as const;

/** Changes of a tool's variables. All of them are made, or none. */
export const variableChangesBody = {
  type: "object",
  properties: {
    inserts: {
      type: "array",
      maxItems: 500,
      default: [],
      items: {
        type: "object",
        properties: {
          name: variableName as typeof variableName,
          value: { type: "string" },
          is_secret: { type: "boolean" },
        },
        required: ["name", "value", "is_secret"],
      },
    },
    updates: {
      type: "array",
      maxItems: 500,
      default: [],
      items: {
        type: "object",
        properties: { name: variableName as typeof variableName, value: { type: "string" } },
        required: ["name", "value"],
      },
    },
    deletes: {
      type: "array",
      maxItems: 500,
      default: [],
      items: {
        type: "object",
        properties: { name: variableName as typeof variableName },
        required: ["name"],
      },
    },
  },
} as const;

/** Where a page begins. */
export const continuationToken = {
  type: "integer",
  minimum: 0,
  maximum: 1_000_000_000,
  default: 0,
} as const;

/** Which tools to list. */
export const toolQuery = {
  type: "object",
  properties: {
    id: {
      type: "array",
      uniqueItems: true,
      items: { type: "string", pattern: idPattern as string },
      default: [],
    },
    // Not `anyOf`: a text that one branch has coerced to `false` would be coerced to null by the next.
    deprecated: { type: ["boolean", "null"] },
    sort_by: { type: "array", items: { type: "string" }, default: [] },
    tag: { type: "array", items: { type: "string" }, default: [] },
    name: { type: "array", items: { type: "string" }, default: [] },
    limit: { type: "integer", exclusiveMinimum: 0, maximum: 20, default: 10 },
    continuation_token: continuationToken as typeof continuationToken,
  },
} as const;

const user = {
  type: "object",
  properties: { org_id: { type: "string" }, user_id: { type: "string" } },
  required: ["org_id", "user_id"],
} as const;

const toolInstance = {
  type: "object",
  properties: {
    id: { type: "string" },
    org_id: { type: "string" },
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
    name: { type: "string" },
    description: { type: "string" },
    deprecated: { type: "boolean" },
    // The names of the variables.
    envvars: { type: "array", items: { type: "string" } },
    secret_envvars: { type: "array", items: { type: "string" } },
    tags: {
      type: "array",
      items: {
        type: "object",
        properties: {
          key: { type: "string" },
          value: { anyOf: [{ type: "string" }, { type: "null" }] },
        },
        required: ["key", "value"],
      },
    },
    creator: user as typeof user,
    updated_by: user as typeof user,
  },
  required: [
    "id",
    "org_id",
    "name",
    "description",
    "deprecated",
    "envvars",
    "secret_envvars",
    "tags",
    "creator",
    "updated_by",
  ],
} as const;

/** The id of a created object. */
export const idReply = {
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
} as const;

/** A page of tools. The token is null on the last page; filter values are on the first page only. */
export const toolPage = {
  type: "object",
  properties: {
    tools: { type: "array", items: toolInstance as typeof toolInstance },
    has_more: { type: "boolean" },
    continuation_token: { anyOf: [{ type: "integer" }, { type: "null" }] },
    filter_values: {
      anyOf: [
        {
          type: "object",
          properties: { tags: { type: "array", items: { type: "string" } } },
          required: ["tags"],
        },
        { type: "null" },
      ],
    },
  },
  required: ["tools", "has_more", "continuation_token", "filter_values"],
} as const;

/** A tool, as the API shows it. */
export type Tool = Wire<typeof toolInstance>;

/** A user, as the API shows it with tools and API keys. */
export type UserReference = Wire<typeof user>;

/** A page of tools. */
export type ToolPage = Wire<typeof toolPage>;

/** A tool to create. */
export type NewTool = Wire<typeof newToolBody>;

/** Changes of a tool. */
export type ToolChange = Wire<typeof toolModificationBody>;

/** Which tools to list. */
export type ToolQuery = Wire<typeof toolQuery>;

/** Which tools to list, with defaults filled in. */
export type FilledToolQuery = Filled<typeof toolQuery>;

/** Changes of a tool's variables. */
export type VariableChanges = Wire<typeof variableChangesBody>;

/** Changes of a tool's variables, with defaults filled in. */
export type FilledVariableChanges = Filled<typeof variableChangesBody>;
