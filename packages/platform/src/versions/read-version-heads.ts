import type { Kysely } from "kysely";
import type { Tables, ToolVersionRow } from "../store/schema.ts";

/** What is known of a version without reading it whole. */
export type VersionHead = Pick<
  ToolVersionRow,
  "id" | "major" | "minor" | "patch" | "sequence" | "deprecated" | "created_at" | "creator_user_id"
>;

/**
 * Reads what is needed to choose and sort the versions of a tool. An index holds all of it, so that
 * their manifests, which can be large, are not touched.
 */
export async function readVersionHeads(
  db: Kysely<Tables>,
  toolId: string,
): Promise<readonly VersionHead[]> {
  return db
    .selectFrom("tool_versions")
    .select([
      "id",
      "major",
      "minor",
      "patch",
      "sequence",
      "deprecated",
      "created_at",
      "creator_user_id",
    ])
    .where("tool_id", "=", toolId)
    .execute();
}
