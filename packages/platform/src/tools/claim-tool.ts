import type { Transaction } from "kysely";
import type { Tables } from "../store/schema.ts";
import { requireLiveTool, type ToolReference } from "./require-tool.ts";

/** Who changes a tool, and when. */
export interface ToolChange extends ToolReference {
  readonly userId: string;
  readonly now: number;
}

/**
 * Marks a tool as changed. Other transactions can't change it until this one ends, so what is
 * read of the tool after this stays true. Throws a `Problem` 404, for a deprecated one too.
 */
export async function claimTool(
  transaction: Transaction<Tables>,
  { organization, toolId, userId, now }: ToolChange,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("tools")
    .set({ updated_at: now, updated_by_user_id: userId })
    .where("id", "=", toolId)
    .where("org_id", "=", organization)
    .where("deprecated", "=", 0)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) await requireLiveTool(transaction, { organization, toolId });
}
