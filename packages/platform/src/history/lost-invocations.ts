import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import { findLastBeat } from "./heartbeat.ts";
import type { InvocationDraft, NewInvocation } from "./history.ts";
import { type InsertInvocations, lockHistory } from "./invocation-table.ts";

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

const batch = 200;

/** What the record of an invocation says whose process died. */
export const lostMessage = "The server stopped before the invocation ended. It was not repeated.";

/**
 * Records what processes that died had under way as failed. However many do this at once, each
 * invocation is recorded once: by the process that removes it from the running ones.
 */
export async function recordLostInvocations(
  parts: Parts,
  insert: InsertInvocations,
  onLost: (id: string, error: unknown) => void,
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
      recorded = await recordSome(parts, insert, { owner, lastSeen: last.at, onLost });
    }
  }
}

interface LostOwner {
  readonly owner: string;
  readonly lastSeen: number | undefined;
  onLost(id: string, error: unknown): void;
}

/** Returns whether a value is the draft of an invocation. */
export function isDraft(value: unknown): boolean {
  const { id, org_id, tool_id, inputs } = (value ?? {}) as Partial<InvocationDraft>;
  return [id, org_id, tool_id, inputs].every((text) => typeof text === "string");
}

async function recordSome(
  { store, now }: Parts,
  insert: InsertInvocations,
  { owner, lastSeen, onLost }: LostOwner,
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
      .returning(["id", "draft", "started_at", "printed"])
      .execute();
    const recorded = await findRecorded(
      db,
      lost.map(({ id }) => id),
    );
    const rows = lost
      .filter(({ id }) => !recorded.has(id))
      .flatMap(({ id, draft, started_at, printed }): NewInvocation[] => {
        const known = readStoredJsonOr<InvocationDraft | null>(draft, null, isDraft);
        if (known === null) {
          onLost(id, new Error("What was kept of an invocation under way is damaged."));
          return [];
        }
        const row = {
          ...known,
          succeeded: 0,
          output: null,
          exception_type: "WorkerDied",
          exception_message: lostMessage,
          exception_stack_trace: "[]",
          duration_ms: Math.max(0, (lastSeen ?? started_at) - started_at),
          updated_at: now(),
          printed,
        } as const;
        return [row];
      });
    await insert(db, rows);
    return lost.length;
  });
}

/** Finds the invocations that are recorded, or will be by other means. */
async function findRecorded(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom("invocations").select("id").where("id", "in", ids).execute();
  // An asynchronous invocation may continue from its journal.
  const others = await db
    .selectFrom("async_invocations")
    .select("id")
    .where("id", "in", ids)
    .execute();
  return new Set([...rows, ...others].map(({ id }) => id));
}
