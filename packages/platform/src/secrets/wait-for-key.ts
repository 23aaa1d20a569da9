import { setTimeout as sleep } from "node:timers/promises";
import { deadAfterMs, isRunning } from "../history/heartbeat.ts";
import { isMarkAlive } from "../history/process-mark.ts";
import { steadyNow } from "../runner/steady-clock.ts";
import type { ProcessRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

const pollMs = 200;
const maxWaitMs = deadAfterMs + 5_000;

/**
 * Waits until every running process on a store has the given master key. Throws if one does not get
 * it. `isFixed`: the keys come from the environment, which does not change while a process runs.
 */
export async function waitForKey(
  store: Store,
  keyId: string,
  { isFixed }: { readonly isFixed: boolean },
): Promise<void> {
  const until = steadyNow() + maxWaitMs;
  const beats = new Map<string, Set<number>>();
  for (;;) {
    const without = await findWithout(store, keyId);
    if (without.length === 0) return;
    for (const row of without) {
      const seen = beats.get(row.id) ?? new Set();
      beats.set(row.id, seen.add(row.heartbeat_at));
      // It has read its keys twice since then. The first read may have been a moment too early.
      const hasLooked = seen.size > 2;
      const isKnownToRun = seen.size > 1 || (row.mark !== null && isMarkAlive(row.mark) === true);
      if (hasLooked || (isFixed && isKnownToRun) || steadyNow() > until) throw lacks(row, keyId);
    }
    await sleep(pollMs);
  }
}

async function findWithout(store: Store, keyId: string): Promise<readonly ProcessRow[]> {
  const rows = await store.db.selectFrom("processes").selectAll().execute();
  const parts = { store, processId: "", now: Date.now };
  return rows.filter(
    (row) => row.key_ids !== null && !row.key_ids.includes(`"${keyId}"`) && isRunning(parts, row),
  );
}

function lacks({ id, role, mark }: ProcessRow, keyId: string): Error {
  const pid = mark === null ? "" : `, pid ${mark.split(" ").at(-2)}`;
  return new Error(
    `A running process does not have the new master key ${keyId}: ${id} (role ${role}${pid}). Nothing was lost. If it reads HAFT_MASTER_KEY, restart it with the new key before the old one, separated by a comma. If it has its own master.key, give all processes the same file. Then rotate again.`,
  );
}
