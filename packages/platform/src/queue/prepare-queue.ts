import { Logger, runMigrations } from "graphile-worker";
import type { Store } from "../store/store.ts";
import { requirePool } from "./remote-work.ts";

/** Makes the job engine's tables in the store, or brings them up to date. */
export async function prepareQueue(store: Store): Promise<void> {
  await runMigrations({
    pgPool: requirePool(store),
    logger: new Logger(() => () => undefined),
  });
}
