import type { Kysely } from "kysely";
import type { Tables, ToolVersionRow } from "../store/schema.ts";
import { compareNumbers, type ListedVersion } from "./constraint.ts";

/** What is known of a version without reading it whole. */
export type VersionHead = Pick<
  ToolVersionRow,
  | "id"
  | "major"
  | "minor"
  | "patch"
  | "sequence"
  | "deprecated"
  | "created_at"
  | "creator_user_id"
  | "candidate"
> & {
  /** Whether `latest` names it. */
  readonly isLatest: boolean;
};

/**
 * Reads what is needed to choose and sort the versions of a tool. An index holds all of it, so that
 * their manifests, which can be large, are not touched.
 */
export async function readVersionHeads(
  db: Kysely<Tables>,
  toolId: string,
): Promise<readonly VersionHead[]> {
  const heads = await db
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
      "candidate",
    ])
    .where("tool_id", "=", toolId)
    .execute();
  const tool = await db
    .selectFrom("tools")
    .select("latest_version_id")
    .where("id", "=", toolId)
    .executeTakeFirst();
  return markLatest(heads, tool?.latest_version_id ?? null);
}

/** Marks the version that `latest` names: the pointer's, or the highest one if it has none. */
export function markLatest<Version extends Omit<ListedVersion, "isLatest"> & { id: string }>(
  versions: readonly Version[],
  pointer: string | null,
): readonly (Version & { readonly isLatest: boolean })[] {
  const active = versions.filter(
    ({ deprecated, candidate }) => deprecated === 0 && candidate === 0,
  );
  const latest =
    active.find(({ id }) => id === pointer) ??
    active.reduce<Version | undefined>(
      (best, each) => (best === undefined || compareNumbers(each, best) > 0 ? each : best),
      undefined,
    );
  return versions.map((each) => ({ ...each, isLatest: each === latest }));
}
