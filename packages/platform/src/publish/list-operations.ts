import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { OperationRow } from "../store/schema.ts";

/** An operation on a tool, in its wire format. */
export interface OperationInstance {
  readonly id: string;
  readonly kind: OperationRow["kind"];
  readonly state: OperationRow["state"];
  readonly user_id: string;
  readonly version: string | null;
  readonly error: string | null;
  readonly log: string;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/**
 * Lists the latest operations on a tool, newest first. Throws a `Problem` 404 for an unknown tool.
 */
export async function listOperations(
  { store }: Pick<PlatformParts, "store">,
  { organization, toolId }: { readonly organization: string; readonly toolId: string },
  limit: number,
): Promise<readonly OperationInstance[]> {
  const tool = await store.db
    .selectFrom("tools")
    .select("id")
    .where("org_id", "=", organization)
    .where("id", "=", toolId)
    .executeTakeFirst();
  if (tool === undefined) throw new Problem(404, `There is no tool ${toolId}.`);
  const rows = await store.db
    .selectFrom("operations")
    .selectAll()
    .where("org_id", "=", organization)
    .where("tool_id", "=", toolId)
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toInstance);
}

function toInstance(row: OperationRow): OperationInstance {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    user_id: row.user_id,
    version: row.version,
    error: row.error,
    log: row.log,
    started_at: toIsoMoment(row.started_at),
    ended_at: row.ended_at === null ? null : toIsoMoment(row.ended_at),
  };
}
