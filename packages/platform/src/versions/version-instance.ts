import { isPlainObject } from "@haft/contract/internal";
import { toIsoMoment } from "../iso-moment.ts";
import type { ToolManifest } from "../project/manifest.ts";
import type { ToolVersionRow } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import type { ToolVersion } from "./version-schemas.ts";

const damagedSchema = { description: "The schema is damaged in the server's database." };

/** Converts a row to the API's form. */
export function toVersionInstance(row: ToolVersionRow, isLatest: boolean): ToolVersion {
  const manifest = readStoredJsonOr<Partial<ToolManifest>>(row.manifest, {}, isPlainObject);
  const hosts = (list: unknown): readonly string[] => (isTextList(list) ? (list as string[]) : []);
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
    output_schema: (manifest.outputSchema as ToolVersion["output_schema"] | undefined) ?? null,
    allowed_hosts: hosts(manifest.allowedHosts),
    simulation_hosts: hosts(manifest.simulationHosts),
    tool_commit_hash: row.commit_hash,
    amigo_scaffold_commit_hash: row.scaffold_commit_hash,
    project_directory: row.project_directory,
    artifact_digest: row.artifact_digest,
    lambda_version: row.sequence,
    creator: { user_id: row.creator_user_id, user_org_id: row.org_id },
    updated_by: { user_id: row.updated_by_user_id, user_org_id: row.org_id },
    deprecated: row.deprecated === 1,
    candidate: row.candidate === 1,
    latest: isLatest,
  };
}
