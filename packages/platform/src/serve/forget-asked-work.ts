import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";

/**
 * Takes back what processes that are gone had asked workers for. To be done before their invocations
 * are recorded as failed: what is recorded so is not begun any more.
 */
export async function forgetAskedWork(
  parts: Pick<PlatformParts, "store" | "processId" | "now">,
): Promise<void> {
  const { db, kind } = parts.store;
  if (kind !== "postgres") return;
  const askers = await db.selectFrom("remote_work").select("asker").distinct().execute();
  for (const { asker } of askers) {
    if (await isAlive(parts, asker)) continue;
    await db.deleteFrom("remote_work").where("asker", "=", asker).execute();
  }
}
