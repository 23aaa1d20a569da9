import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables, WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "../store/schema.ts";
import { testEvent } from "./emit-event.ts";

/** How long to wait before each retry, in seconds. Together about a day. */
export const retrySeconds: readonly number[] = [5, 30, 120, 600, 2_400, 7_200, 21_600, 54_000];

// A delay is this much shorter or longer, so that receivers that come back are not met by all at once.
const jitter = 0.2;

type Parts = Pick<PlatformParts, "store" | "audit" | "settings" | "now">;
type Attempt = Omit<WebhookAttemptRow, "delivery_id" | "number">;

/**
 * Records an attempt, and decides whether the delivery has succeeded, is sent again or is given up. A
 * webhook whose receiver is gone is disabled.
 */
export async function settleAttempt(
  { store, audit, settings, now }: Parts,
  delivery: WebhookDeliveryRow,
  attempt: Attempt,
): Promise<void> {
  const { status } = attempt;
  const hasSucceeded = status !== null && status >= 200 && status < 300;
  const isGone = status === 410;
  const delay = delivery.type === testEvent ? undefined : retrySeconds[delivery.tries - 1];
  const isOver = hasSucceeded || isGone || delay === undefined;
  const at = now();
  const isDisabled = await store.db.transaction().execute(async (db) => {
    const dueAt = at + (delay ?? 0) * 1_000 * (1 - jitter + 2 * jitter * Math.random());
    const { numUpdatedRows } = await db
      .updateTable("webhook_deliveries")
      .set({
        state: hasSucceeded ? "succeeded" : isOver ? "failed" : "pending",
        ...{ owner: null, updated_at: at },
        ...(!isOver && { due_at: Math.round(dueAt) }),
      })
      .where("id", "=", delivery.id)
      .where("state", "=", "sending")
      .where("attempts", "=", delivery.attempts)
      .executeTakeFirst();
    // It was deleted, or another process took this one for dead.
    if (numUpdatedRows === 0n) return false;
    const key = { delivery_id: delivery.id, number: delivery.attempts };
    await db
      .insertInto("webhook_attempts")
      .values({ ...key, ...attempt })
      .execute();
    if (!isOver || delivery.type === testEvent) return false;
    if (hasSucceeded) {
      await setFailures(db, delivery, 0);
      return false;
    }
    const webhook = await setFailures(db, delivery, "one more");
    const { maxFailures } = settings.webhooks;
    if (webhook?.enabled !== 1 || !(isGone || webhook.failures >= maxFailures)) return false;
    const reason = isGone
      ? "The receiver answered 410, which means that it is gone."
      : `${webhook.failures} deliveries in a row were given up.`;
    await db
      .updateTable("webhooks")
      .set({ enabled: 0, disabled_reason: reason, updated_at: at })
      .where("id", "=", webhook.id)
      .execute();
    // The platform acts for the user who created the webhook, without a key.
    const author = { organization: webhook.org_id, userId: webhook.user_id, keyId: "" };
    const detail = { reason, delivery: delivery.id };
    await audit.record(db, author, { action: "webhook.disable", target: webhook.id, detail });
    return true;
  });
  if (isDisabled) store.touch();
}

async function setFailures(
  db: Kysely<Tables>,
  { webhook_id }: WebhookDeliveryRow,
  failures: 0 | "one more",
): Promise<WebhookRow | undefined> {
  return db
    .updateTable("webhooks")
    .set((row) => ({ failures: failures === 0 ? 0 : row("failures", "+", 1) }))
    .where("id", "=", webhook_id)
    .$if(failures === 0, (query) => query.where("failures", ">", 0))
    .returningAll()
    .executeTakeFirst();
}
