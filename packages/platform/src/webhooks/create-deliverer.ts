import { setTimeout as wait } from "node:timers/promises";
import { createPoller } from "../create-poller.ts";
import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../store/schema.ts";
import { createSender, type SenderParts, stoppedMessage } from "./send-delivery.ts";
import { settleAttempt } from "./settle-attempt.ts";

/** The services that deliver events. */
export type DelivererParts = PlatformParts &
  SenderParts & {
    /** Receives errors that no caller waits for. */
    onError?(error: unknown): void;
  };

/** Sends what is due to webhooks, each attempt in one process. */
export interface Deliverer {
  /** Looks for deliveries that are due. */
  poke(): void;
  /** Stores a delivery that this process owns, sends it and records the attempt. */
  sendNew(delivery: WebhookDeliveryRow): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Starts no more, and cuts off what takes longer than this. */
  stop(graceMs: number): Promise<void>;
}

const maxActive = 32;
// A receiver that is slow must not hold up the others.
const maxActivePerWebhook = 4;

/** Creates a deliverer. From the first poke on, it sends what is due, and what processes that died left. */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const { store, processId, now } = parts;
  const sendOnce = createSender(parts);
  const active = new Map<string, { readonly webhookId: string; readonly ended: Promise<void> }>();
  const cut = new AbortController();

  const report = (error: unknown): void => parts.onError?.(error);
  /** Lets others send what a process that died was sending. */
  const recover = async (): Promise<void> => {
    const rows = await store.db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("state", "=", "sending")
      .execute();
    for (const row of rows) {
      if (active.has(row.id)) continue;
      const owner = row.owner ?? "";
      if (owner !== processId && (await isAlive(parts, owner))) continue;
      const lost = { duration_ms: 0, status: null, response: null, error: stoppedMessage };
      await settleAttempt(parts, row, { ...lost, started_at: row.updated_at }).catch(report);
    }
  };

  const startDue = async (): Promise<number> => {
    const webhooks = await store.db
      .selectFrom("webhook_deliveries")
      .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
      .select("webhook_id")
      .distinct()
      .where("state", "=", "pending")
      .where("due_at", "<=", now())
      .where("enabled", "=", 1)
      .execute();
    for (const { webhook_id } of webhooks) {
      const busy = [...active.values()].filter(({ webhookId }) => webhookId === webhook_id);
      const room = Math.min(maxActivePerWebhook - busy.length, maxActive - active.size);
      if (room <= 0) continue;
      const due = await store.db
        .selectFrom("webhook_deliveries")
        .selectAll()
        .where("webhook_id", "=", webhook_id)
        .where("state", "=", "pending")
        .where("due_at", "<=", now())
        .orderBy("due_at")
        .orderBy("id")
        .limit(room)
        .execute();
      for (const row of due) await claim(row);
    }
    // Events come at any time.
    return Number.POSITIVE_INFINITY;
  };
  /** Takes a delivery, unless another process was faster. */
  const claim = async (row: WebhookDeliveryRow): Promise<void> => {
    const claimed = await store.db
      .updateTable("webhook_deliveries")
      .set({
        ...{ state: "sending", owner: processId, updated_at: now() },
        ...{ attempts: row.attempts + 1, tries: row.tries + 1 },
      })
      .where("id", "=", row.id)
      .where("state", "=", "pending")
      .where("attempts", "=", row.attempts)
      .returningAll()
      .executeTakeFirst();
    if (claimed !== undefined) void send(claimed).catch(report).finally(poller.poke);
  };

  const send = (delivery: WebhookDeliveryRow, store?: () => Promise<void>): Promise<void> => {
    const work = async (): Promise<void> => {
      await store?.();
      await deliver(delivery);
    };
    const ended = work().finally(() => active.delete(delivery.id));
    active.set(delivery.id, { webhookId: delivery.webhook_id, ended });
    return ended;
  };
  const deliver = async (delivery: WebhookDeliveryRow): Promise<void> => {
    const webhook = await findWebhook(delivery);
    if (webhook === undefined) return;
    const started_at = now();
    const sent = await sendOnce(webhook, delivery, cut.signal);
    await settleAttempt(parts, delivery, { ...sent, started_at });
  };
  const findWebhook = (row: WebhookDeliveryRow): Promise<WebhookRow | undefined> =>
    store.db.selectFrom("webhooks").selectAll().where("id", "=", row.webhook_id).executeTakeFirst();
  const idle = async (): Promise<void> => {
    while (poller.looking() !== undefined || active.size > 0) {
      await poller.looking();
      await Promise.allSettled([...active.values()].map(({ ended }) => ended));
    }
  };

  const poller = createPoller({ look: startDue, recover, onError: report });
  return {
    poke: poller.poke,
    sendNew: (delivery) =>
      send(delivery, async () => {
        await store.db.insertInto("webhook_deliveries").values(delivery).execute();
      }),
    idle,
    stop: async (graceMs) => {
      poller.stop();
      const patience = new AbortController();
      void wait(graceMs, undefined, { signal: patience.signal, ref: false }).then(
        () => cut.abort(),
        () => undefined,
      );
      await idle();
      patience.abort();
    },
  };
}
