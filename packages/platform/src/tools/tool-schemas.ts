import type { JsonSchema } from "@haft/contract";
import { idPattern } from "../new-id.ts";

// A text on the wire is trimmed before it is looked at, so these allow for blanks at its ends. No
// text may hold a NUL: PostgreSQL can't keep it.
const name: JsonSchema = { type: "string", minLength: 1, pattern: "^\\s*[a-z0-9_]+\\s*$" };
const description: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: 20_000,
  pattern: "^\\s*[^\\s\\u0000][^\\u0000]*$",
};
const word: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^\\s*\\w[\\w\\s]*$",
};
const tags: JsonSchema = {
  type: "object",
  maxProperties: 20,
  propertyNames: word,
  additionalProperties: { anyOf: [word, { type: "null" }] },
};
const variableName: JsonSchema = {
  type: "string",
  minLength: 1,
  pattern: "^\\s*[A-Z_]+\\s*$",
  maxLength: 200,
};
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
const texts: JsonSchema = { type: "array", items: { type: "string" } };
const moment: JsonSchema = { type: "string", format: "date-time" };

/** The organization and the tool in a path. */
export const toolParams: JsonSchema = {
  type: "object",
  properties: {
    organization: { type: "string" },
    tool_id: { type: "string", pattern: idPattern },
  },
  required: ["organization", "tool_id"],
};

/** A tool to be. */
export const newToolBody: JsonSchema = {
  type: "object",
  properties: { name, description, tags },
  required: ["name", "description", "tags"],
};

/** What changes about a tool. */
export const toolModificationBody: JsonSchema = {
  type: "object",
  properties: {
    name: nullable({ type: "string" }),
    description: nullable(description),
    tags: nullable(tags),
  },
};

const value: JsonSchema = { type: "string" };

/** What to do with a tool's variables. */
export const variableChangesBody: JsonSchema = {
  type: "object",
  properties: {
    inserts: {
      type: "array",
      maxItems: 500,
      default: [],
      items: {
        type: "object",
        properties: { name: variableName, value, is_secret: { type: "boolean" } },
        required: ["name", "value", "is_secret"],
      },
    },
    updates: {
      type: "array",
      maxItems: 500,
      default: [],
      items: {
        type: "object",
        properties: { name: variableName, value },
        required: ["name", "value"],
      },
    },
    deletes: {
      type: "array",
      maxItems: 500,
      default: [],
      items: { type: "object", properties: { name: variableName }, required: ["name"] },
    },
  },
};

/** Where a page begins. */
export const continuationToken: JsonSchema = {
  type: "integer",
  minimum: 0,
  maximum: 1_000_000_000,
  default: 0,
};

/** Which tools to list. */
export const toolQuery: JsonSchema = {
  type: "object",
  properties: {
    id: {
      type: "array",
      uniqueItems: true,
      items: { type: "string", pattern: idPattern },
      default: [],
    },
    // Not `anyOf`: what one branch has made of the text into `false` the next would make into null.
    deprecated: { type: ["boolean", "null"] },
    sort_by: { ...texts, default: [] },
    tag: { ...texts, default: [] },
    name: { ...texts, default: [] },
    limit: { type: "integer", exclusiveMinimum: 0, maximum: 20, default: 10 },
    continuation_token: continuationToken,
  },
};

const user: JsonSchema = {
  type: "object",
  properties: { org_id: { type: "string" }, user_id: { type: "string" } },
  required: ["org_id", "user_id"],
};

const toolInstance: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    org_id: { type: "string" },
    created_at: moment,
    updated_at: moment,
    name: { type: "string" },
    description: { type: "string" },
    deprecated: { type: "boolean" },
    envvars: texts,
    secret_envvars: texts,
    tags: {
      type: "array",
      items: {
        type: "object",
        properties: { key: { type: "string" }, value: nullable({ type: "string" }) },
        required: ["key", "value"],
      },
    },
    creator: user,
    updated_by: user,
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
};

/** The id of what was made. */
export const idReply: JsonSchema = {
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
};

/** A page of tools. */
export const toolPage: JsonSchema = {
  type: "object",
  properties: {
    tools: { type: "array", items: toolInstance },
    has_more: { type: "boolean" },
    continuation_token: nullable({ type: "integer" }),
    filter_values: nullable({ type: "object", properties: { tags: texts }, required: ["tags"] }),
  },
  required: ["tools", "has_more", "continuation_token", "filter_values"],
};
