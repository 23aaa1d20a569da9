import type { PlatformParts } from "../platform-parts.ts";
import type { StepResult } from "../runner/run-journal.ts";
import { emitInboxEvent } from "../webhooks/emit-event.ts";
import type { InvocationEvents } from "./events.ts";
import { addResult } from "./journal.ts";

type Parts = Pick<PlatformParts, "store" | "secrets" | "now"> & {
  readonly events: InvocationEvents;
};

const batch = 100;

/**
 * Lets invocations continue whose sleep is over, or whose question was not answered in time. Returns
 * when the next one is due.
 */
export async function wakeDue(parts: Parts): Promise<number | undefined> {
  const { store, now } = parts;
  for (;;) {
    const due = await store.db
      .selectFrom("async_invocations")
      .select("id")
      .where("state", "=", "waiting")
      .where("wake_at", "<=", now())
      .orderBy("wake_at")
      .limit(batch)
      .execute();
    for (const { id } of due) await wake(parts, id);
    if (due.length < batch) break;
  }
  const next = await store.db
    .selectFrom("async_invocations")
    .select(({ fn }) => fn.min("wake_at").as("at"))
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return next?.at ?? undefined;
}

async function wake(parts: Parts, invocationId: string): Promise<void> {
  const { store, events, now } = parts;
  await store.db.transaction().execute(async (db) => {
    const at = now();
    const { numUpdatedRows } = await db
      .updateTable("async_invocations")
      .set({ state: "queued", wake_at: null, updated_at: at })
      .where("id", "=", invocationId)
      .where("state", "=", "waiting")
      .where("wake_at", "<=", at)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const due = await db
      .selectFrom("invocation_steps")
      .select(["position", "kind", "due_at"])
      .where("invocation_id", "=", invocationId)
      .where("due_at", "<=", at)
      .where("ordinal", "is", null)
      .orderBy("due_at")
      .orderBy("position")
      .execute();
    for (const { position, kind } of due) {
      const result: StepResult = kind === "ask" ? unanswered : {};
      await addResult(db, parts, { invocationId, position, result });
      const expired = await db
        .updateTable("inbox_items")
        .set({ state: "expired" })
        .where("source_id", "=", invocationId)
        .where("position", "=", position)
        .where("state", "=", "waiting")
        .returningAll()
        .execute();
      for (const item of expired) await emitInboxEvent(db, item, { state: "expired", at });
    }
    const data = JSON.stringify({ state: "queued" });
    await events.addIn(db, { invocationId, event: "state", data });
  });
  events.wake(invocationId);
}

const unanswered: StepResult = {
  error: { type: "AskTimeout", message: "The question was not answered before its deadline." },
};
