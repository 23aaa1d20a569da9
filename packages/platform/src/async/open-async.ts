import { createCautiousClock } from "../cautious-clock.ts";
import type { AsyncInvocationRow } from "../store/schema.ts";
import { type Acceptance, createAcceptance } from "./accept.ts";
import { type DispatcherParts, startDispatcher } from "./dispatcher.ts";
import { createInvocationEvents, type InvocationEvents } from "./events.ts";

/** The asynchronous invocations of a store. */
export interface AsyncInvocations extends Acceptance {
  readonly events: InvocationEvents;
  cancel(row: AsyncInvocationRow): Promise<void>;
  /** Looks for invocations that can run now. */
  poke(): void;
  /** Starts no more, and ends everything that is followed. */
  pause(): void;
  /** Waits for all runs of this process. Call it when the runner is closed. */
  close(): Promise<void>;
  /** Removes what ended long ago. */
  tidy(): Promise<void>;
}

const hourMs = 3_600_000;
const batch = 200;

/** Opens the asynchronous invocations of a store and runs those that are due, until it is closed. */
export function openAsync(parts: Omit<DispatcherParts, "events">): AsyncInvocations {
  const { store, settings, now } = parts;
  const ageNow = createCautiousClock(now);
  const events = createInvocationEvents(parts);
  const dispatcher = startDispatcher({ ...parts, events });
  const acceptance = createAcceptance({ ...parts, events });
  return {
    events,
    poke: dispatcher.poke,
    accept: async (...call) => {
      const ids = await acceptance.accept(...call);
      dispatcher.poke();
      return ids;
    },
    cancel: async ({ id }) => {
      const row = await store.db
        .updateTable("async_invocations")
        .set({ is_cancelled: 1, updated_at: now() })
        .where("id", "=", id)
        .where("state", "!=", "ended")
        .returningAll()
        .executeTakeFirst();
      if (row !== undefined) await dispatcher.cancel(row);
    },
    pause: () => {
      dispatcher.pause();
      events.close();
    },
    close: async () => {
      events.close();
      await dispatcher.stop();
    },
    tidy: async () => {
      for (;;) {
        const old = await store.db
          .selectFrom("async_invocations")
          .select("id")
          .where("state", "=", "ended")
          .where("updated_at", "<", ageNow() - settings.async.keptHours * hourMs)
          .limit(batch)
          .execute();
        if (old.length === 0) break;
        const ids = old.map(({ id }) => id);
        await store.db.deleteFrom("invocation_events").where("invocation_id", "in", ids).execute();
        await store.db.deleteFrom("async_invocations").where("id", "in", ids).execute();
      }
      if (settings.historyDays === undefined) return;
      await store.db
        .deleteFrom("inbox_items")
        .where("state", "!=", "waiting")
        .where("created_at", "<", ageNow() - settings.historyDays * 24 * hourMs)
        .execute();
    },
  };
}
