import type { Kysely } from "kysely";
import { createGenerationCache } from "../auth/generation-cache.ts";
import type { NewInvocation } from "../history/history.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { emitInvocationEvent, toOutcome } from "./emit-event.ts";

/** Tells webhooks of synchronous invocations, in the transaction that records them. */
export type EmitSynchronous = (db: Kysely<Tables>, rows: readonly NewInvocation[]) => Promise<void>;

/**
 * Creates a function that tells webhooks of synchronous invocations. Most organizations have no webhook
 * that asks for them. Which have is cached, because every record of history passes here.
 */
export function createSynchronousEmitter(store: Pick<Store, "generation">): EmitSynchronous {
  const cache = createGenerationCache<ReadonlySet<string>>(store, 1);
  const findOrganizations = async (db: Kysely<Tables>): Promise<ReadonlySet<string>> => {
    const read = async (): Promise<ReadonlySet<string>> => {
      const rows = await db
        .selectFrom("webhooks")
        .select("org_id")
        .distinct()
        .where("synchronous", "=", 1)
        .where("enabled", "=", 1)
        .execute();
      return new Set(rows.map(({ org_id }) => org_id));
    };
    return cache.find("all") ?? (await cache.load("all", read)) ?? new Set();
  };
  return async (db, rows) => {
    if (rows.length === 0) return;
    const organizations = await findOrganizations(db);
    const asked = rows.filter(({ org_id }) => organizations.has(org_id));
    if (asked.length === 0) return;
    const ids = asked.map(({ id }) => id);
    // These have an event of their own when they are closed.
    const others = await db
      .selectFrom("async_invocations")
      .select("id")
      .where("id", "in", ids)
      .execute();
    const isAsync = new Set(others.map(({ id }) => id));
    for (const row of asked) {
      if (isAsync.has(row.id)) continue;
      const outcome = toOutcome(row.succeeded === 1, row.exception_type);
      const at = row.updated_at;
      await emitInvocationEvent(db, { ...row, outcome }, { at, isSynchronous: true });
    }
  };
}
