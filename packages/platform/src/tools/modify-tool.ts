import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { claimTool } from "./claim-tool.ts";
import { requireLiveTool } from "./require-tool.ts";
import { type Tags, toTags } from "./tags.ts";

/** What changes about a tool; what is absent or null stays. Tags are replaced as a whole. */
export interface ToolModification {
  readonly toolId: string;
  /** Only for callers that send all they have: it can't change. */
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly tags?: Tags | null | undefined;
}

/** Changes what is said of a tool. Throws a `Problem`: 400 for a new name. */
export async function modifyTool(
  { store, audit, now }: Pick<PlatformParts, "store" | "audit" | "now">,
  principal: Principal,
  { toolId, name, ...change }: ToolModification,
): Promise<void> {
  const { organization, userId } = principal;
  const place = { organization, toolId };
  const tool = await requireLiveTool(store.db, place);
  if (typeof name === "string" && name.trim() !== tool.name) {
    throw new Problem(
      400,
      `The tool's name ${JSON.stringify(tool.name)} can't change. Leave it out, or create a new tool.`,
    );
  }
  const description = change.description?.trim();
  const tags = change.tags === null || change.tags === undefined ? undefined : toTags(change.tags);
  if (description === undefined && tags === undefined) return;
  await store.db.transaction().execute(async (transaction) => {
    await claimTool(transaction, { ...place, userId, now: now() });
    if (description !== undefined) {
      await transaction
        .updateTable("tools")
        .set({ description })
        .where("id", "=", toolId)
        .execute();
    }
    if (tags === undefined) return;
    await transaction.deleteFrom("tool_tags").where("tool_id", "=", toolId).execute();
    if (tags.length === 0) return;
    const rows = tags.map((tag) => ({ ...tag, tool_id: toolId, org_id: organization }));
    await transaction.insertInto("tool_tags").values(rows).execute();
  });
  store.touch();
  const detail = { description: description !== undefined, tags: tags !== undefined };
  await audit.record(principal, { action: "tool.modify", target: toolId, detail });
}
