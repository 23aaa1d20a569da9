import type { ToolVersionRow } from "../store/schema.ts";
import type { VersionNumber } from "./resolved-version.ts";

/** Somebody, as the wire shows it on versions. */
export interface VersionUser {
  readonly user_id: string;
  readonly user_org_id: string;
}

/** A version, as the wire shows it. */
export interface VersionInstance {
  readonly id: string;
  readonly org_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tool_id: string;
  readonly version: VersionNumber;
  readonly required_envvars: readonly string[];
  readonly required_secret_envvars: readonly string[];
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly tool_commit_hash: string;
  readonly amigo_scaffold_commit_hash: string;
  readonly project_directory: string;
  /** Counts the versions of the tool. */
  readonly lambda_version: number;
  readonly creator: VersionUser;
  readonly updated_by: VersionUser;
  readonly deprecated: boolean;
}

/** Shows a version. */
export function toVersionInstance(row: ToolVersionRow): VersionInstance {
  return {
    id: row.id,
    org_id: row.org_id,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    tool_id: row.tool_id,
    version: { major: row.major, minor: row.minor, patch: row.patch },
    required_envvars: JSON.parse(row.required_envvars) as string[],
    required_secret_envvars: JSON.parse(row.required_secret_envvars) as string[],
    input_schema: JSON.parse(row.input_schema) as Record<string, unknown>,
    tool_commit_hash: row.commit_hash,
    amigo_scaffold_commit_hash: row.scaffold_commit_hash,
    project_directory: row.project_directory,
    lambda_version: row.sequence,
    creator: { user_id: row.creator_user_id, user_org_id: row.org_id },
    updated_by: { user_id: row.updated_by_user_id, user_org_id: row.org_id },
    deprecated: row.deprecated === 1,
  };
}
