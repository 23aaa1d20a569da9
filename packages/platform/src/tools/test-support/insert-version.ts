import { newId } from "../../new-id.ts";
import type { ToolManifest } from "../../project/manifest.ts";
import type { ToolVersionRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { toNumber } from "../../versions/version-text.ts";

let moment = Date.UTC(2026, 5, 1);

/** Puts a version into the store as a publication would, and returns its row. */
export async function insertVersion(
  store: Store,
  place: { readonly organization: string; readonly toolId: string; readonly version: string },
  given: Partial<ToolVersionRow> = {},
): Promise<ToolVersionRow> {
  const { organization, toolId, version } = place;
  const number = toNumber(version);
  if (number === undefined) throw new Error(`${version} is no version.`);
  const { count } = await store.db
    .selectFrom("tool_versions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("tool_id", "=", toolId)
    .executeTakeFirstOrThrow();
  moment += 1000;
  const manifest: ToolManifest = {
    name: "tool",
    description: `Version ${version}.`,
    runtime: "node",
    inputSchema: { type: "object" },
    requiredEnvvars: JSON.parse(given.required_envvars ?? "[]") as string[],
    requiredSecretEnvvars: JSON.parse(given.required_secret_envvars ?? "[]") as string[],
    allowedHosts: [],
    simulationHosts: [],
    limits: { timeoutMs: 1000, memoryMb: 64 },
  };
  const row: ToolVersionRow = {
    id: newId(),
    org_id: organization,
    tool_id: toolId,
    ...number,
    sequence: count + 1,
    runtime: "node",
    manifest: JSON.stringify(manifest),
    input_schema: JSON.stringify(manifest.inputSchema),
    required_envvars: "[]",
    required_secret_envvars: "[]",
    commit_hash: "c".repeat(40),
    scaffold_commit_hash: "5".repeat(40),
    project_directory: "my_tool",
    artifact_digest: "d".repeat(64),
    lockfile_digest: null,
    deprecated: 0,
    creator_user_id: "a".repeat(24),
    updated_by_user_id: "a".repeat(24),
    created_at: moment,
    updated_at: moment,
    candidate: 0,
    ...given,
  };
  await store.db.insertInto("tool_versions").values(row).execute();
  if (row.candidate === 0) {
    // The highest version is the latest, whatever was before.
    const pointer = { latest_version_id: null };
    await store.db.updateTable("tools").set(pointer).where("id", "=", toolId).execute();
  }
  store.touch();
  return row;
}
