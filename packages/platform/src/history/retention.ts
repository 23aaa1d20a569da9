import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { RetentionRow, Tables } from "../store/schema.ts";
import { requireTool } from "../tools/require-tool.ts";
import type { Retention, RetentionLimits } from "./retention-schemas.ts";

type Parts = Pick<PlatformParts, "store" | "settings" | "audit" | "now">;

/** In the column `tool_id`: all tools of the organization. */
export const everyTool = "";

/** Returns how long the invocations of a tool, or of the organization's tools, are kept. */
export async function readRetention(
  { store, settings }: Parts,
  organization: string,
  toolId: string = everyTool,
): Promise<Retention> {
  if (toolId !== everyTool) await requireTool(store.db, { organization, toolId });
  const rows = await store.db
    .selectFrom("retention")
    .selectAll()
    .where("org_id", "=", organization)
    .where("tool_id", "in", [toolId, everyTool])
    .execute();
  const row = rows.find(({ tool_id }) => tool_id === toolId) ?? rows[0];
  const { historyDays } = settings;
  if (row === undefined) {
    const isLimited = historyDays !== undefined;
    return { days: historyDays ?? null, count: null, set_for: isLimited ? "server" : null };
  }
  const { days, count } = row;
  return {
    // The server's limit holds for everybody.
    days: days === null ? (historyDays ?? null) : Math.min(days, historyDays ?? days),
    count,
    set_for: row.tool_id === everyTool ? "organization" : "tool",
  };
}

/** Sets how long the invocations of a tool are kept, or of all tools without limits of their own. */
export async function setRetention(
  parts: Parts,
  principal: Principal,
  { toolId = everyTool, days = null, count = null }: RetentionLimits & { readonly toolId?: string },
): Promise<void> {
  if (days === null && count === null) {
    throw new Problem(400, "Give days, count or both. To remove the limits, send DELETE.");
  }
  const { organization, userId } = principal;
  const row = { days, count, updated_by_user_id: userId, updated_at: parts.now() };
  await change(parts, principal, {
    toolId,
    detail: { days, count },
    write: (db) =>
      db
        .insertInto("retention")
        .values({ org_id: organization, tool_id: toolId, ...row })
        .onConflict((conflict) => conflict.columns(["org_id", "tool_id"]).doUpdateSet(row))
        .execute(),
  });
}

/** Removes the limits of a tool, or those of the organization. */
export async function clearRetention(
  parts: Parts,
  principal: Principal,
  toolId: string = everyTool,
): Promise<void> {
  await change(parts, principal, {
    toolId,
    detail: { days: null, count: null },
    write: (db) =>
      db
        .deleteFrom("retention")
        .where("org_id", "=", principal.organization)
        .where("tool_id", "=", toolId)
        .execute(),
  });
}

interface Change {
  readonly toolId: string;
  readonly detail: Pick<RetentionRow, "days" | "count">;
  write(db: Kysely<Tables>): Promise<unknown>;
}

async function change(
  { store, audit }: Parts,
  principal: Principal,
  { toolId, detail, write }: Change,
): Promise<void> {
  const { organization } = principal;
  if (toolId !== everyTool) await requireTool(store.db, { organization, toolId });
  await store.db.transaction().execute(async (db) => {
    await write(db);
    const target = toolId === everyTool ? organization : toolId;
    await audit.record(db, principal, { action: "history.retention", target, detail });
  });
}
