import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import { steadyNow } from "../runner/steady-clock.ts";
import type { ProcessRow, Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findProcessMark, isMarkAlive } from "./process-mark.ts";

type Parts = Pick<PlatformParts, "store" | "processId" | "now"> &
  Partial<Pick<PlatformParts, "secrets">> & {
    /** Milliseconds of a monotonic clock. Default: the machine's own. */
    steadyNow?(): number;
  };

/** Tells others that this process lives, until it is stopped. */
export interface Heartbeat {
  /** Tells others that this process has ended. */
  stop(): Promise<void>;
}

// How often a process tells that it lives.
const beatMs = 5_000;
/** A process that has not told it for so long is taken for dead. */
export const deadAfterMs = 30_000;

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

/** Tells once that this process lives, and which master keys it has. */
export async function beat(
  { processId, now, secrets }: Parts,
  db: Kysely<Tables>,
  role = "all",
): Promise<void> {
  const row = {
    heartbeat_at: now(),
    mark: findProcessMark() ?? null,
    key_ids: secrets === undefined ? null : listKeys(secrets),
  };
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
  parts: Parts,
  owner: string,
): Promise<{ readonly isAlive: boolean; readonly at: number | undefined }> {
  const row = await parts.store.db
    .selectFrom("processes")
    .selectAll()
    .where("id", "=", owner)
    .executeTakeFirst();
  if (row === undefined) return { isAlive: false, at: undefined };
  return { isAlive: isRunning(parts, row), at: row.heartbeat_at };
}

/** Whether a process runs: where it can be seen from here that counts, else whether it beats. */
export function isRunning(parts: Parts, row: ProcessRow): boolean {
  const isBeating = findBeating(parts, row);
  return (row.mark === null ? undefined : isMarkAlive(row.mark)) ?? isBeating;
}

/** Whether a process runs and tells so: one that hangs does not. */
export function isResponding(parts: Parts, row: ProcessRow): boolean {
  return findBeating(parts, row) && isRunning(parts, row);
}

// That the keys can't be read just now does not mean that the process is dead.
function listKeys(secrets: PlatformParts["secrets"]): string | null {
  try {
    return JSON.stringify(secrets.keyIds());
  } catch {
    return null;
  }
}

interface Seen {
  readonly beat: number;
  /** When this value was first seen, on the steady clock. */
  readonly since: number;
}

const seen = new WeakMap<Store, Map<string, Seen>>();

/**
 * Whether the heartbeat of a process has changed within the time that it may take. The value itself is
 * not compared to the clock: the clocks of two machines differ, and any of them may be set meanwhile.
 */
function findBeating(parts: Parts, { id, heartbeat_at }: ProcessRow): boolean {
  const now = (parts.steadyNow ?? steadyNow)();
  let known = seen.get(parts.store);
  if (known === undefined) {
    known = new Map();
    seen.set(parts.store, known);
  }
  const before = known.get(id);
  if (before?.beat === heartbeat_at) return now - before.since < deadAfterMs;
  known.set(id, { beat: heartbeat_at, since: now });
  return true;
}
