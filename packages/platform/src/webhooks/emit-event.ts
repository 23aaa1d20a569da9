import type { Kysely } from "kysely";
import type { EventType } from "../client/event-types.ts";
import type { NewInvocation } from "../history/history.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { newId } from "../new-id.ts";
import type { InboxItemRow, Tables, WebhookRow } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import { toTagFilter } from "../tools/tags.ts";

/** Something that happened, for webhooks. */
export interface NewEvent {
  readonly organization: string;
  readonly type: EventType;
  /** When it happened, in milliseconds. */
  readonly at: number;
  /** The tool that it is about. Webhooks for some tools hear of events of these only. */
  readonly toolId: string | null;
  /** IDs, names and states. Never inputs, outputs, questions or answers: they may contain secrets. */
  readonly data: Readonly<Record<string, unknown>>;
  /** A webhook that is told in any case. */
  readonly webhookId?: string | null;
  /** Whether only webhooks that asked for synchronous invocations are told. Default: false. */
  readonly isSynchronous?: boolean;
  /** Whether only webhooks that asked for sessions are told. Default: false. */
  readonly isSession?: boolean;
}

/**
 * Tells webhooks of an event. It is stored in the transaction of its change, before the audit line, and
 * sent afterwards: it is not lost if the process dies, and not sent if the transaction is rolled back.
 */
export async function emitEvent(db: Kysely<Tables>, event: NewEvent): Promise<void> {
  const webhooks = await findWebhooks(db, event);
  if (webhooks.length === 0) return;
  const { organization, type, at, data } = event;
  const body = JSON.stringify({
    ...{ id: `evt_${newId(at)}`, type, timestamp: toIsoMoment(at) },
    data: { organization, ...data },
  });
  await db
    .insertInto("webhook_deliveries")
    .values(webhooks.map((webhook) => toDelivery(webhook, { type, body, at })))
    .execute();
}

/** The type of the event that `POST …/test` sends. */
export const testEvent = "webhook.test";

/** Creates the row of a delivery that is due at once. */
export function toDelivery(
  { id, org_id }: Pick<WebhookRow, "id" | "org_id">,
  { type, body, at }: { readonly type: string; readonly body: string; readonly at: number },
): Tables["webhook_deliveries"] {
  return {
    ...{ id: `msg_${newId(at)}`, org_id, webhook_id: id, type, body, state: "pending" },
    ...{ owner: null, attempts: 0, tries: 0, due_at: at, created_at: at, updated_at: at },
  };
}

async function findWebhooks(
  db: Kysely<Tables>,
  { organization, type, toolId, webhookId, isSynchronous = false, isSession = false }: NewEvent,
): Promise<readonly WebhookRow[]> {
  const enabled = await db
    .selectFrom("webhooks")
    .selectAll()
    .where("org_id", "=", organization)
    .where("enabled", "=", 1)
    .execute();
  const named = enabled.filter(({ id }) => id === webhookId);
  const asking = enabled.filter(
    (webhook) =>
      webhook.id !== webhookId &&
      (webhook.synchronous === 1 || !isSynchronous) &&
      (webhook.sessions === 1 || !isSession) &&
      readList(webhook.events).includes(type),
  );
  if (asking.every(({ tools, tags }) => tools === null && tags === null)) {
    return [...named, ...asking];
  }
  const tags = toolId === null ? [] : await readTags(db, toolId);
  return [...named, ...asking.filter((webhook) => isAbout(webhook, toolId, tags))];
}

type ToolTag = Pick<Tables["tool_tags"], "key" | "value">;

function readTags(db: Kysely<Tables>, toolId: string): Promise<readonly ToolTag[]> {
  const query = db.selectFrom("tool_tags").select(["key", "value"]);
  return query.where("tool_id", "=", toolId).execute();
}

/** Returns whether a tool is one of a webhook's tools, or has its tags. */
function isAbout(webhook: WebhookRow, toolId: string | null, tags: readonly ToolTag[]): boolean {
  if (webhook.tools === null && webhook.tags === null) return true;
  if (toolId === null) return false;
  if (webhook.tools !== null && readList(webhook.tools).includes(toolId)) return true;
  if (webhook.tags === null) return false;
  return [...toTagFilter(readList(webhook.tags))].every(([key, wanted]) =>
    tags.some((tag) => tag.key === key && (wanted === "any" || wanted.includes(tag.value))),
  );
}

function readList(text: string): readonly string[] {
  return readStoredJsonOr<readonly string[]>(text, [], isTextList);
}

/** What is told of an item of the inbox. */
type EventItem = Pick<
  InboxItemRow,
  | "id"
  | "org_id"
  | "kind"
  | "source_type"
  | "source_id"
  | "tool_id"
  | "tool_name"
  | "tool_version"
  | "deadline_at"
> &
  Partial<Pick<InboxItemRow, "answered_by" | "answered_via" | "on_behalf_of">>;

/** Tells webhooks of an item of the inbox. */
export async function emitInboxEvent(
  db: Kysely<Tables>,
  row: EventItem,
  { state, at }: { readonly state: InboxItemRow["state"]; readonly at: number },
): Promise<void> {
  await emitEvent(db, {
    ...{ organization: row.org_id, type: `inbox.${state}`, at, toolId: row.tool_id },
    isSession: row.source_type === "session",
    data: {
      ...{ inbox_id: row.id, kind: row.kind, state },
      source: { type: row.source_type, id: row.source_id },
      ...{ tool_id: row.tool_id, tool_name: row.tool_name, tool_version: row.tool_version },
      deadline_at: toIsoMoment(row.deadline_at),
      ...(state === "answered" && {
        ...{ answered_by: row.answered_by, answered_via: row.answered_via },
        on_behalf_of: row.on_behalf_of,
      }),
      url: `/v1/${row.org_id}/inbox/${row.id}`,
    },
  });
}

/** What is known of an invocation that has ended. */
export type EndedInvocation = Pick<
  NewInvocation,
  "id" | "org_id" | "tool_id" | "major" | "minor" | "patch" | "duration_ms"
> & {
  readonly outcome: "succeeded" | "failed" | "cancelled";
};

/** Tells webhooks of the end of an invocation. */
export async function emitInvocationEvent(
  db: Kysely<Tables>,
  row: EndedInvocation,
  { at, ...how }: Pick<NewEvent, "at" | "webhookId" | "isSynchronous">,
): Promise<void> {
  const { id, org_id: organization, tool_id: toolId, outcome } = row;
  await emitEvent(db, {
    ...{ organization, type: `invocation.${outcome}`, at, toolId, ...how },
    data: {
      ...{
        invocation_id: id,
        tool_id: toolId,
        tool_version: `${row.major}.${row.minor}.${row.patch}`,
        state: outcome,
      },
      ...{ duration_ms: Math.round(row.duration_ms), synchronous: how.isSynchronous ?? false },
      url: `/v1/${organization}/tool/invocation/${id}`,
    },
  });
}

/** Returns how an invocation ended. */
export function toOutcome(
  succeeded: boolean,
  exceptionType: string | null | undefined,
): EndedInvocation["outcome"] {
  if (succeeded) return "succeeded";
  return exceptionType === "Cancelled" ? "cancelled" : "failed";
}
