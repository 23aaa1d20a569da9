import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { holdOperation } from "../versions/operation-lock.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import { requireTool } from "./require-tool.ts";

/**
 * Retires a tool with all its versions: they can be read, not run or changed, and the name is free
 * again. Doing it twice changes nothing. Throws a `Problem`: 409 while something else is done to it.
 */
export async function deprecateTool(
  parts: Pick<PlatformParts, "store" | "audit" | "processId" | "now">,
  principal: Principal,
  toolId: string,
): Promise<void> {
  const { organization, userId } = principal;
  const { db } = parts.store;
  const { name, deprecated } = await requireTool(db, { organization, toolId });
  if (deprecated === 1) return;
  const operation = { organization, toolId, userId, kind: "deprecate-tool" } as const;
  await holdOperation(parts, operation, () =>
    db.transaction().execute(async (transaction) => {
      const change = {
        deprecated: 1,
        updated_at: parts.now(),
        updated_by_user_id: userId,
      } as const;
      const { numUpdatedRows } = await transaction
        .updateTable("tools")
        .set(change)
        .where("id", "=", toolId)
        .where("deprecated", "=", 0)
        .executeTakeFirstOrThrow();
      await transaction
        .updateTable("tool_versions")
        .set(change)
        .where("tool_id", "=", toolId)
        .where("deprecated", "=", 0)
        .execute();
      if (numUpdatedRows === 0n) return;
      await emitEvent(transaction, {
        ...{ organization, type: "tool.deprecated", at: change.updated_at, toolId },
        data: { tool_id: toolId, tool_name: name },
      });
      const entry = { action: "tool.deprecate", target: toolId, detail: { name } };
      await parts.audit.record(transaction, principal, entry);
    }),
  );
}
