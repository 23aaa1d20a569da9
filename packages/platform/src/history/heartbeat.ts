import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables } from "../store/schema.ts";
import { findProcessMark, isMarkAlive } from "./process-mark.ts";

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

/** Tells others that this process lives, until it is stopped. */
export interface Heartbeat {
  /** Tells others that this process has ended. */
  stop(): Promise<void>;
}

const beatMs = 5_000;
const deadAfterMs = 30_000;

/** Tells the store every few seconds that this process lives. Resolves when it has been told once. */
export async function startHeartbeat(parts: Parts, role = "all"): Promise<Heartbeat> {
  await beat(parts, parts.store.db, role);
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // One that fails is made up for by the next.
    last = beat(parts, parts.store.db, role).catch(() => undefined);
  }, beatMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
      await parts.store.db.deleteFrom("processes").where("id", "=", parts.processId).execute();
    },
  };
}

/** Tells once that this process lives. */
export async function beat(
  { processId, now }: Parts,
  db: Kysely<Tables>,
  role = "all",
): Promise<void> {
  const row = { heartbeat_at: now(), mark: findProcessMark() ?? null };
  await db
    .insertInto("processes")
    // Only what starts a process knows its role.
    .values({ id: processId, role, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** Whether a process that shares the store still runs. */
export async function isAlive(parts: Parts, owner: string): Promise<boolean> {
  return owner === parts.processId || (await findLastBeat(parts, owner)).isAlive;
}

/** When a process was last heard of, and whether it still runs. */
export async function findLastBeat(
  { store, now }: Parts,
  owner: string,
): Promise<{ readonly isAlive: boolean; readonly at: number | undefined }> {
  const row = await store.db
    .selectFrom("processes")
    .selectAll()
    .where("id", "=", owner)
    .executeTakeFirst();
  if (row === undefined) return { isAlive: false, at: undefined };
  const seen = row.mark === null ? undefined : isMarkAlive(row.mark);
  return {
    isAlive: seen ?? now() - row.heartbeat_at < deadAfterMs,
    at: row.heartbeat_at,
  };
}
