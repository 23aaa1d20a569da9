import { toInboxItem } from "@haft/computer/internal";
import { createPoller, type Poller } from "../create-poller.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { AnnouncedQuestionRow, InboxItemRow } from "../store/schema.ts";
import { emitInboxEvent } from "../webhooks/emit-event.ts";
import { type SessionItems, toRow } from "./session-items.ts";

/** What the announcer works with. */
export interface AnnouncerOptions {
  readonly sessions: SessionItems;
  /** Called when webhooks have something to send. */
  onEvent(): void;
  onError(error: unknown): void;
}

// A question whose files are gone is over for certain a while after its deadline.
const graceMs = 60_000;
// By then the files of a question have been removed.
const retentionMs = 8 * 86_400_000;

/**
 * Tells webhooks of questions of sessions on this machine and of their ends, from the first poke on. Files have no
 * transactions, so a row says of which questions webhooks were told: it is written with the event, by one process.
 */
export function createAnnouncer(
  { store, now }: Pick<PlatformParts, "store" | "now">,
  { sessions, onEvent, onError }: AnnouncerOptions,
): Poller {
  const { db } = store;
  // Questions that were over before webhooks were told of them.
  let over = new Set<string>();

  const isAsked = async (organization: string): Promise<boolean> => {
    const query = db.selectFrom("webhooks").select("id").where("org_id", "=", organization);
    const asking = query.where("sessions", "=", 1).where("enabled", "=", 1).limit(1);
    return (await asking.executeTakeFirst()) !== undefined;
  };
  const open = async (item: InboxItemRow): Promise<void> => {
    const at = now();
    await db.transaction().execute(async (transaction) => {
      const inserted = await transaction
        .insertInto("announced_questions")
        .values({
          ...{ id: item.id, org_id: item.org_id, kind: item.kind, state: item.state },
          ...{ tool_name: item.tool_name, session_id: item.source_id },
          ...{ schema: item.schema ?? "true" },
          ...{ created_at: item.created_at, deadline_at: item.deadline_at },
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (inserted !== undefined) await emitInboxEvent(transaction, item, { state: "waiting", at });
    });
    onEvent();
  };
  const end = async (
    item: Parameters<typeof emitInboxEvent>[1],
    state: InboxItemRow["state"],
  ): Promise<void> => {
    const at = now();
    await db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("announced_questions")
        .set({ state })
        .where("id", "=", item.id)
        .where("state", "=", "waiting")
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await emitInboxEvent(transaction, item, { state, at });
    });
    onEvent();
  };
  const look = async (): Promise<number> => {
    const organization = sessions.organization();
    if (organization === undefined) return Number.POSITIVE_INFINITY;
    const known = await db
      .selectFrom("announced_questions")
      .selectAll()
      .where("org_id", "=", organization)
      .where("state", "=", "waiting")
      .execute();
    const waiting = new Map(known.map((row) => [row.id, row]));
    const canOpen = await isAsked(organization);
    if (waiting.size === 0 && !canOpen) return Number.POSITIVE_INFINITY;
    const ids = sessions.inbox.ids();
    over = new Set(ids.filter((id) => over.has(id)));
    for (const id of ids.filter((each) => waiting.has(each) || !over.has(each))) {
      const entry = sessions.inbox.find(id);
      if (entry === undefined) continue;
      const row = waiting.get(id);
      waiting.delete(id);
      const item = toRow(toInboxItem(entry), organization);
      if (entry.state !== "waiting") {
        if (row !== undefined) await end(item, entry.state);
        over.add(id);
      } else if (row === undefined && canOpen) await open(item);
    }
    for (const row of waiting.values()) {
      if (now() > row.deadline_at + graceMs) await end(toEventItem(row), "expired");
    }
    return Number.POSITIVE_INFINITY;
  };
  return createPoller({ look, onError });
}

/** Removes what is no longer needed to tell that webhooks were told. `now` must not run ahead. */
export async function tidyAnnounced({
  store,
  now,
}: Pick<PlatformParts, "store" | "now">): Promise<void> {
  await store.db
    .deleteFrom("announced_questions")
    .where("deadline_at", "<", now() - retentionMs)
    .execute();
}

function toEventItem(row: AnnouncedQuestionRow): Parameters<typeof emitInboxEvent>[1] {
  const { session_id: source_id } = row;
  return { ...row, source_type: "session", source_id, tool_id: null, tool_version: null };
}
