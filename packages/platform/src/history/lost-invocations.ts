import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables } from "../store/schema.ts";
import { findLastBeat } from "./heartbeat.ts";
import type { InvocationDraft, NewInvocation } from "./history.ts";
import { type InsertInvocations, lockHistory } from "./invocation-table.ts";

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

const batch = 200;

/**
 * Records what processes that died had under way as failed. However many do this at once, each
 * invocation is recorded once: by whoever takes it out of the running ones.
 */
export async function recordLostInvocations(
  parts: Parts,
  insert: InsertInvocations,
): Promise<void> {
  const owners = await parts.store.db
    .selectFrom("running_invocations")
    .select("owner")
    .distinct()
    .where("owner", "!=", parts.processId)
    .execute();
  for (const { owner } of owners) {
    const last = await findLastBeat(parts, owner);
    if (last.isAlive) continue;
    let recorded = batch;
    while (recorded === batch) {
      recorded = await recordSome(parts, insert, { owner, lastSeen: last.at });
    }
  }
}

async function recordSome(
  { store, now }: Parts,
  insert: InsertInvocations,
  { owner, lastSeen }: { readonly owner: string; readonly lastSeen: number | undefined },
): Promise<number> {
  return store.db.transaction().execute(async (db) => {
    await lockHistory(db, store);
    const lost = await db
      .deleteFrom("running_invocations")
      .where("id", "in", (query) =>
        query
          .selectFrom("running_invocations as running")
          .select("running.id")
          .where("running.owner", "=", owner)
          .orderBy("running.started_at")
          .limit(batch),
      )
      .returning(["id", "draft", "started_at"])
      .execute();
    const recorded = await findRecorded(
      db,
      lost.map(({ id }) => id),
    );
    const rows = lost
      .filter(({ id }) => !recorded.has(id))
      .map(({ draft, started_at }): NewInvocation => {
        const known = JSON.parse(draft) as InvocationDraft;
        return {
          ...known,
          succeeded: 0,
          output: null,
          exception_type: "WorkerDied",
          exception_message: "The server stopped before the invocation ended. It was not repeated.",
          exception_stack_trace: "[]",
          duration_ms: Math.max(0, (lastSeen ?? started_at) - started_at),
          updated_at: now(),
        };
      });
    await insert(db, rows);
    return lost.length;
  });
}

async function findRecorded(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom("invocations").select("id").where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}
