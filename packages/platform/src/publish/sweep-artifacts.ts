import type { PlatformParts } from "../platform-parts.ts";

// Whoever builds now stores an artifact shortly before its version.
const oldMs = 3_600_000;

/** Removes artifacts of versions that never came to be. */
export async function sweepArtifacts({
  store,
  now,
}: Pick<PlatformParts, "store" | "now">): Promise<void> {
  await store.db
    .deleteFrom("artifacts")
    .where("created_at", "<", now() - oldMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tool_versions")
            .select("tool_versions.id")
            .whereRef("tool_versions.artifact_digest", "=", "artifacts.digest"),
        ),
      ),
    )
    .execute();
}
