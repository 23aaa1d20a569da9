import type { JsonSchema } from "@haft/contract";
import { idPattern } from "../new-id.ts";
import { continuationToken } from "../tools/tool-schemas.ts";

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
const texts: JsonSchema = { type: "array", items: { type: "string" } };
const moment: JsonSchema = { type: "string", format: "date-time" };

/** The organization, the tool and the versions in a path. */
export const versionsParams: JsonSchema = {
  type: "object",
  properties: {
    organization: { type: "string" },
    tool_id: { type: "string", pattern: idPattern },
    versions: { type: "string" },
  },
  required: ["organization", "tool_id", "versions"],
};

/** Which versions to list. */
export const versionQuery: JsonSchema = {
  type: "object",
  properties: {
    // Not `anyOf`: what one branch has made of the text into `false` the next would make into null.
    deprecated: { type: ["boolean", "null"] },
    versions: { type: ["string", "null"] },
    version_constraint: { type: ["string", "null"] },
    sort_by: { ...texts, default: [] },
    creator: { ...texts, uniqueItems: true, default: [] },
    limit: { type: "integer", minimum: 0, maximum: 50, default: 50 },
    continuation_token: continuationToken,
  },
};

const user: JsonSchema = {
  type: "object",
  properties: { user_id: { type: "string" }, user_org_id: { type: "string" } },
  required: ["user_id", "user_org_id"],
};

const versionInstance: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    org_id: { type: "string" },
    created_at: moment,
    updated_at: moment,
    tool_id: { type: "string" },
    version: {
      type: "object",
      properties: {
        major: { type: "integer" },
        minor: { type: "integer" },
        patch: { type: "integer" },
      },
      required: ["major", "minor", "patch"],
    },
    required_envvars: texts,
    required_secret_envvars: texts,
    input_schema: { type: "object", additionalProperties: true },
    tool_commit_hash: { type: "string" },
    amigo_scaffold_commit_hash: { type: "string" },
    project_directory: { type: "string" },
    lambda_version: { type: "integer" },
    creator: user,
    updated_by: user,
    deprecated: { type: "boolean" },
  },
  required: [
    "id",
    "org_id",
    "tool_id",
    "version",
    "required_envvars",
    "required_secret_envvars",
    "input_schema",
    "tool_commit_hash",
    "amigo_scaffold_commit_hash",
    "project_directory",
    "lambda_version",
    "creator",
    "updated_by",
    "deprecated",
  ],
};

/** A page of versions. */
export const versionPage: JsonSchema = {
  type: "object",
  properties: {
    tool_versions: { type: "array", items: versionInstance },
    has_more: { type: "boolean" },
    continuation_token: nullable({ type: "integer" }),
    filter_values: nullable({
      type: "object",
      properties: { creators: { type: "array", items: user } },
      required: ["creators"],
    }),
  },
  required: ["tool_versions", "has_more", "continuation_token", "filter_values"],
};
