import type { Principal } from "../auth/principal.ts";
import { mayOnTool } from "../auth/tool-access.ts";
import { mayReadTool, noInvocation } from "../history/log-routes.ts";
import { joinPayloads } from "../history/payloads.ts";
import { toStatus } from "../history/to-invocation.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { listedColumns } from "../store/invocation-row.ts";
import type { AsyncInvocationRow } from "../store/schema.ts";
import type { AsyncInvocation } from "./async-schemas.ts";
import { readDraft } from "./settle.ts";

type Parts = Pick<PlatformParts, "store">;

/**
 * Finds an asynchronous invocation that a caller may see: their own, or any if they may read history.
 * Throws a `Problem` 404.
 */
export async function requireAsync(
  { store }: Parts,
  principal: Principal,
  id: string,
): Promise<AsyncInvocationRow> {
  const row = await store.db
    .selectFrom("async_invocations")
    .selectAll()
    .where("id", "=", id)
    .where("org_id", "=", principal.organization)
    .executeTakeFirst();
  if (row === undefined || !(await mayInvoke(principal, row))) throw noInvocation(id);
  return row;
}

async function mayInvoke(
  principal: Principal,
  { tool_id, user_id }: AsyncInvocationRow,
): Promise<boolean> {
  if (!(await mayOnTool(principal, "Tool:InvokeTool", tool_id))) return false;
  return user_id === principal.userId || mayReadTool(principal, tool_id);
}

/** Returns an asynchronous invocation in the API's form. */
export async function readStatus(parts: Parts, row: AsyncInvocationRow): Promise<AsyncInvocation> {
  const { major, minor, patch } = readDraft(row);
  return {
    id: row.id,
    tool_id: row.tool_id,
    tool_version: { major, minor, patch },
    state: row.state,
    created_at: toIsoMoment(row.created_at),
    updated_at: toIsoMoment(row.updated_at),
    waiting_for: row.state === "waiting" ? await readWaits(parts, row.id) : [],
    result: row.state === "ended" ? await readResult(parts, row.id) : null,
  };
}

async function readWaits(
  { store }: Parts,
  invocationId: string,
): Promise<AsyncInvocation["waiting_for"]> {
  const rows = await store.db
    .selectFrom("invocation_steps")
    .leftJoin("inbox_items", (join) =>
      join
        .onRef("inbox_items.source_id", "=", "invocation_steps.invocation_id")
        .onRef("inbox_items.position", "=", "invocation_steps.position"),
    )
    .select(["invocation_steps.kind", "due_at", "inbox_items.id", "question"])
    .where("invocation_id", "=", invocationId)
    .where("ordinal", "is", null)
    .where("due_at", "is not", null)
    .orderBy("invocation_steps.position")
    .execute();
  return rows.map(({ kind, due_at, id, question }) => ({
    kind: kind === "ask" ? ("question" as const) : ("sleep" as const),
    until: toIsoMoment(due_at ?? 0),
    inbox_id: id,
    question,
  }));
}

/** Reads how an invocation ended, as history has it. */
async function readResult({ store }: Parts, id: string): Promise<AsyncInvocation["result"]> {
  const row = await store.db
    .selectFrom("invocations")
    .select(listedColumns)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const [whole = row] = await joinPayloads(store.db, [row]);
  return { ...toStatus(whole), duration_ms: row.duration_ms };
}
