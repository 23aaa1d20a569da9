import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { requireMayWiden } from "../organizations/require-may-widen.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Tables } from "../store/schema.ts";
import { claimTool } from "./claim-tool.ts";
import { requireLiveTool } from "./require-tool.ts";
import { type Tag, toTags } from "./tags.ts";
import type { ToolChange } from "./tool-schemas.ts";

/** Changes the description and tags of a tool. Throws a `Problem` 400 for a new name. */
export async function modifyTool(
  { store, audit, now }: Pick<PlatformParts, "store" | "audit" | "now">,
  principal: Principal,
  { toolId, name, ...change }: ToolChange & { readonly toolId: string },
): Promise<void> {
  const { organization, userId } = principal;
  const reference = { organization, toolId };
  const tool = await requireLiveTool(store.db, reference);
  if (typeof name === "string" && name.trim() !== tool.name) {
    throw new Problem(
      400,
      `The tool's name ${JSON.stringify(tool.name)} can't change. Leave it out, or create a new tool.`,
    );
  }
  const description = change.description?.trim();
  const tags = change.tags === null || change.tags === undefined ? undefined : toTags(change.tags);
  if (description === undefined && tags === undefined) return;
  if (tags !== undefined) await requireMayTag(store.db, principal, { toolId, tags });
  await store.db.transaction().execute(async (transaction) => {
    await claimTool(transaction, { ...reference, userId, now: now() });
    if (description !== undefined) {
      await transaction
        .updateTable("tools")
        .set({ description })
        .where("id", "=", toolId)
        .execute();
    }
    if (tags !== undefined) {
      await transaction.deleteFrom("tool_tags").where("tool_id", "=", toolId).execute();
      const rows = tags.map((tag) => ({ ...tag, tool_id: toolId, org_id: organization }));
      if (rows.length > 0) await transaction.insertInto("tool_tags").values(rows).execute();
    }
    const detail = { description: description !== undefined, tags: tags !== undefined };
    await audit.record(transaction, principal, { action: "tool.modify", target: toolId, detail });
  });
  store.touch();
}

/** Permissions can be limited to tags, so a new tag can give others a permission on the tool. */
async function requireMayTag(
  db: Kysely<Tables>,
  principal: Principal,
  { toolId, tags }: { readonly toolId: string; readonly tags: readonly Tag[] },
): Promise<void> {
  const before = await db
    .selectFrom("tool_tags")
    .select(["key", "value"])
    .where("tool_id", "=", toolId)
    .execute();
  const added = tags.filter(
    ({ key, value }) => !before.some((tag) => tag.key === key && tag.value === value),
  );
  const scopes = added.map((tag) => ({ kind: "tag", ...tag }) as const);
  await requireMayWiden(db, principal, { toolIds: [toolId], scopes });
}
