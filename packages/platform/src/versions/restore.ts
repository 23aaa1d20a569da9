import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { requireActiveRoom } from "../publish/publish-rules.ts";
import { claimTool } from "../tools/claim-tool.ts";
import { requireTool } from "../tools/require-tool.ts";
import { moveLatest } from "./latest.ts";
import { readVersionHeads } from "./read-version-heads.ts";
import { toText } from "./version-text.ts";

type Parts = Pick<PlatformParts, "store" | "audit" | "settings" | "now">;

/**
 * Makes a deprecated version active again. `latest` moves to it only if it named no version. Throws
 * a `Problem`: 404 for an unknown version, 400 if there are too many active ones.
 */
export async function restoreVersion(
  { store, audit, settings, now }: Parts,
  principal: Principal,
  { toolId, version }: { readonly toolId: string; readonly version: string },
): Promise<void> {
  const { organization, userId } = principal;
  const change = { organization, toolId, userId, now: now() };
  const isRestored = await store.db.transaction().execute(async (db) => {
    await claimTool(db, change);
    const heads = await readVersionHeads(db, toolId);
    const found = heads.find((each) => toText(each) === version.trim());
    if (found === undefined) {
      throw new Problem(
        404,
        `There is no version ${JSON.stringify(version.trim())} of the tool. List its versions, with the deprecated ones, to see which there are.`,
      );
    }
    if (found.deprecated === 0) return false;
    await requireActiveRoom(db, toolId, settings.maxActiveVersions);
    await db
      .updateTable("tool_versions")
      .set({ deprecated: 0, updated_at: change.now, updated_by_user_id: userId })
      .where("id", "=", found.id)
      .execute();
    const from = heads.find(({ isLatest }) => isLatest);
    if (from !== undefined) {
      // Without a pointer, the highest version would be the latest, which may be this one.
      await moveLatest(db, change, { from, to: from, reason: "restore" });
    } else if (found.candidate === 0) {
      await moveLatest(db, change, { from, to: found, reason: "restore" });
    }
    const detail = { version: version.trim() };
    await audit.record(db, principal, { action: "version.restore", target: toolId, detail });
    return true;
  });
  if (isRestored) store.touch();
}

/**
 * Makes a deprecated tool active again, with the versions that were deprecated together with it.
 * Throws a `Problem` 409 if another tool has its name now.
 */
export async function restoreTool(
  { store, audit, now }: Parts,
  principal: Principal,
  toolId: string,
): Promise<void> {
  const { organization, userId } = principal;
  const { deprecated } = await requireTool(store.db, { organization, toolId });
  if (deprecated === 0) return;
  const change = { deprecated: 0, updated_at: now(), updated_by_user_id: userId } as const;
  const isRestored = await store.db.transaction().execute(async (db) => {
    const tool = await requireTool(db, { organization, toolId });
    const other = await db
      .selectFrom("tools")
      .select("id")
      .where("org_id", "=", organization)
      .where("name", "=", tool.name)
      .where("deprecated", "=", 0)
      .executeTakeFirst();
    if (other !== undefined && other.id !== toolId) {
      throw new Problem(
        409,
        `Another tool is named ${JSON.stringify(tool.name)} now (${other.id}). Deprecate that one first.`,
      );
    }
    const { numUpdatedRows } = await db
      .updateTable("tools")
      .set(change)
      .where("id", "=", toolId)
      .where("deprecated", "=", 1)
      .executeTakeFirstOrThrow();
    // Deprecating a tool changes its active versions at the same moment, and nothing after it can.
    await db
      .updateTable("tool_versions")
      .set(change)
      .where("tool_id", "=", toolId)
      .where("deprecated", "=", 1)
      .where("updated_at", "=", tool.updated_at)
      .execute();
    if (numUpdatedRows === 0n) return false;
    const detail = { name: tool.name };
    await audit.record(db, principal, { action: "tool.restore", target: toolId, detail });
    return true;
  });
  if (isRestored) store.touch();
}
