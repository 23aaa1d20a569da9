import type { Principal } from "../auth/principal.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import type { Deliverer } from "./create-deliverer.ts";
import { testEvent, toDelivery } from "./emit-event.ts";
import type {
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookReplay,
} from "./wire-webhook.ts";

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

const maxShownAttempts = 10;

/** Lists the deliveries of a webhook, the newest first. */
export async function listDeliveries(
  parts: Parts,
  webhookId: string,
  { state, limit, continuation_token: before }: WebhookDeliveryQuery & { readonly limit: number },
): Promise<WebhookDeliveryPage> {
  const rows = await parts.store.db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .$if(state !== undefined, (query) => query.where("state", "=", state as "failed"))
    .$if(before !== undefined, (query) => query.where("id", "<", before as string))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const deliveries = await toDeliveries(parts, rows.slice(0, limit));
  const has_more = rows.length > limit;
  const continuation_token = has_more ? (deliveries.at(-1)?.id ?? null) : null;
  return { deliveries, has_more, continuation_token };
}

/** Sends deliveries again, with the same IDs. Returns how many. */
export async function replayDeliveries(
  { store, audit, now }: Pick<PlatformParts, "store" | "audit" | "now">,
  principal: Principal,
  { webhook, which: { delivery_ids: ids, since } }: Replaying,
): Promise<number> {
  if (webhook.enabled === 0) {
    throw new Problem(409, `The webhook ${webhook.id} is disabled. Enable it first.`);
  }
  const at = now();
  return store.db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable("webhook_deliveries")
      .set({ state: "pending", tries: 0, due_at: at, updated_at: at })
      .where("webhook_id", "=", webhook.id)
      .where("state", "in", ids === undefined ? ["failed"] : ["failed", "succeeded", "pending"])
      .$if(ids !== undefined, (query) => query.where("id", "in", ids as readonly string[]))
      .$if(since !== undefined, (query) =>
        query.where("created_at", ">=", Date.parse(since as string)),
      )
      .executeTakeFirst();
    const detail = { replayed: Number(numUpdatedRows) };
    await audit.record(db, principal, { action: "webhook.replay", target: webhook.id, detail });
    return detail.replayed;
  });
}

interface Replaying {
  readonly webhook: WebhookRow;
  readonly which: WebhookReplay;
}

/** Sends an event for a test once, and returns it with the result. */
export async function sendTest(
  parts: Parts & { readonly deliverer: Pick<Deliverer, "sendNew"> },
  webhook: WebhookRow,
): Promise<WebhookDelivery> {
  const { store, processId, now } = parts;
  const at = now();
  const body = JSON.stringify({
    ...{ id: `evt_${newId(at)}`, type: testEvent, timestamp: toIsoMoment(at) },
    data: { organization: webhook.org_id, webhook_id: webhook.id },
  });
  const delivery: WebhookDeliveryRow = {
    ...toDelivery(webhook, { type: testEvent, body, at }),
    ...{ state: "sending", owner: processId, attempts: 1, tries: 1 },
  };
  await parts.deliverer.sendNew(delivery);
  const rows = await store.db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", delivery.id)
    .execute();
  const [sent] = await toDeliveries(parts, rows);
  if (sent === undefined) throw new Problem(404, `There is no webhook ${webhook.id}.`);
  return sent;
}

const dayMs = 86_400_000;
const batch = 200;

/** Removes deliveries that are older than history is kept. */
export async function tidyDeliveries({
  store,
  settings: { historyDays },
  now,
}: Pick<PlatformParts, "store" | "settings" | "now">): Promise<void> {
  if (historyDays === undefined) return;
  for (;;) {
    const old = await store.db
      .selectFrom("webhook_deliveries")
      .select("id")
      .where("created_at", "<", now() - historyDays * dayMs)
      .limit(batch)
      .execute();
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await store.db.deleteFrom("webhook_attempts").where("delivery_id", "in", ids).execute();
    await store.db.deleteFrom("webhook_deliveries").where("id", "in", ids).execute();
  }
}

async function toDeliveries(
  { store }: Parts,
  rows: readonly WebhookDeliveryRow[],
): Promise<WebhookDelivery[]> {
  const ids = rows.map(({ id }) => id);
  const attempts =
    ids.length === 0
      ? []
      : await store.db
          .selectFrom("webhook_attempts")
          .selectAll()
          .where("delivery_id", "in", ids)
          .orderBy("number", "desc")
          .execute();
  return rows.map((row) => ({
    ...{ id: row.id, type: row.type, state: row.state },
    event: readStoredJsonOr<WebhookDelivery["event"]>(row.body, null, () => true),
    due_at: row.state === "pending" ? toIsoMoment(row.due_at) : null,
    created_at: toIsoMoment(row.created_at),
    attempt_count: row.attempts,
    attempts: attempts
      .filter(({ delivery_id }) => delivery_id === row.id)
      .slice(0, maxShownAttempts)
      .map(toAttempt),
  }));
}

function toAttempt(row: WebhookAttemptRow): WebhookDelivery["attempts"][number] {
  const { number, started_at, duration_ms, status, response, error } = row;
  return { number, started_at: toIsoMoment(started_at), duration_ms, status, response, error };
}
