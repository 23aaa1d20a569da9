import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";
import { continuationToken } from "../tools/tool-schemas.ts";

/** The organization, the tool and the versions in a path. */
export const versionsParams = {
  type: "object",
  properties: {
    organization: { type: "string" },
    tool_id: { type: "string", pattern: idPattern as string },
    versions: { type: "string" },
  },
  required: ["organization", "tool_id", "versions"],
} as const;

/** Which versions to list. */
export const versionQuery = {
  type: "object",
  properties: {
    // Not `anyOf`: a text that one branch has coerced to `false` would be coerced to null by the next.
    deprecated: { type: ["boolean", "null"] },
    // A constraint such as `>=1.2,<2`, under either name.
    versions: { type: ["string", "null"] },
    version_constraint: { type: ["string", "null"] },
    sort_by: { type: "array", items: { type: "string" }, default: [] },
    // `organization,user`
    creator: { type: "array", items: { type: "string" }, uniqueItems: true, default: [] },
    limit: { type: "integer", minimum: 0, maximum: 50, default: 50 },
    continuation_token: continuationToken as typeof continuationToken,
  },
} as const;

/** The three numbers of a version. */
export const versionNumber = {
  type: "object",
  properties: {
    major: { type: "integer" },
    minor: { type: "integer" },
    patch: { type: "integer" },
  },
  required: ["major", "minor", "patch"],
} as const;

const user = {
  type: "object",
  properties: { user_id: { type: "string" }, user_org_id: { type: "string" } },
  required: ["user_id", "user_org_id"],
} as const;

const versionInstance = {
  type: "object",
  properties: {
    id: { type: "string" },
    org_id: { type: "string" },
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
    tool_id: { type: "string" },
    version: versionNumber as typeof versionNumber,
    required_envvars: { type: "array", items: { type: "string" } },
    required_secret_envvars: { type: "array", items: { type: "string" } },
    input_schema: { type: "object", additionalProperties: true },
    // Null if the version does not declare what it returns.
    output_schema: {
      anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }],
    },
    tool_commit_hash: { type: "string" },
    amigo_scaffold_commit_hash: { type: "string" },
    project_directory: { type: "string" },
    // SHA-256 of what runs, in hexadecimal.
    artifact_digest: { type: "string" },
    // Counts the versions of the tool.
    lambda_version: { type: "integer" },
    creator: user as typeof user,
    updated_by: user as typeof user,
    deprecated: { type: "boolean" },
    // Whether only its exact number names it.
    candidate: { type: "boolean" },
    // Whether `latest` names it.
    latest: { type: "boolean" },
    allowed_hosts: { type: "array", items: { type: "string" } },
    simulation_hosts: { type: "array", items: { type: "string" } },
  },
  required: [
    "id",
    "org_id",
    "tool_id",
    "version",
    "required_envvars",
    "required_secret_envvars",
    "input_schema",
    "output_schema",
    "tool_commit_hash",
    "amigo_scaffold_commit_hash",
    "project_directory",
    "artifact_digest",
    "lambda_version",
    "creator",
    "updated_by",
    "deprecated",
    "candidate",
    "latest",
    "allowed_hosts",
    "simulation_hosts",
  ],
} as const;

/** A page of versions. The token is null on the last page; filter values are on the first page only. */
export const versionPage = {
  type: "object",
  properties: {
    tool_versions: { type: "array", items: versionInstance as typeof versionInstance },
    has_more: { type: "boolean" },
    continuation_token: { anyOf: [{ type: "integer" }, { type: "null" }] },
    filter_values: {
      anyOf: [
        {
          type: "object",
          properties: { creators: { type: "array", items: user as typeof user } },
          required: ["creators"],
        },
        { type: "null" },
      ],
    },
  },
  required: ["tool_versions", "has_more", "continuation_token", "filter_values"],
} as const;

/** A version, as the API shows it. */
export type ToolVersion = Wire<typeof versionInstance>;

/** A user, as the API shows it with versions. */
export type VersionUser = Wire<typeof user>;

/** A page of versions. */
export type VersionPage = Wire<typeof versionPage>;

/** Which versions to list. */
export type VersionQuery = Wire<typeof versionQuery>;

/** Which versions to list, with defaults filled in. */
export type FilledVersionQuery = Filled<typeof versionQuery>;
