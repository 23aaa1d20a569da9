import { isPlainObject } from "@haft/contract/internal";
import { toIsoMoment } from "../iso-moment.ts";
import type { ToolVersionRow } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import type { ToolVersion } from "./version-schemas.ts";

const damagedSchema = { description: "The schema is damaged in the server's database." };

/** Converts a row to the API's form. */
export function toVersionInstance(row: ToolVersionRow): ToolVersion {
  return {
    id: row.id,
    org_id: row.org_id,
    created_at: toIsoMoment(row.created_at),
    updated_at: toIsoMoment(row.updated_at),
    tool_id: row.tool_id,
    version: { major: row.major, minor: row.minor, patch: row.patch },
    required_envvars: readStoredJsonOr<string[]>(row.required_envvars, [], isTextList),
    required_secret_envvars: readStoredJsonOr<string[]>(
      row.required_secret_envvars,
      [],
      isTextList,
    ),
    input_schema: readStoredJsonOr<ToolVersion["input_schema"]>(
      row.input_schema,
      damagedSchema,
      isPlainObject,
    ),
    output_schema:
      readStoredJsonOr<{ readonly outputSchema?: ToolVersion["input_schema"] }>(
        row.manifest,
        {},
        isPlainObject,
      ).outputSchema ?? null,
    tool_commit_hash: row.commit_hash,
    amigo_scaffold_commit_hash: row.scaffold_commit_hash,
    project_directory: row.project_directory,
    lambda_version: row.sequence,
    creator: { user_id: row.creator_user_id, user_org_id: row.org_id },
    updated_by: { user_id: row.updated_by_user_id, user_org_id: row.org_id },
    deprecated: row.deprecated === 1,
  };
}
