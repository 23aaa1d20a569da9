import { setTimeout as delay } from "node:timers/promises";
import type { ServerSentEvent } from "../api/route.ts";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools, mayOnSome } from "../auth/tool-access.ts";
import { mayRead } from "../history/log-routes.ts";
import type { SessionItems } from "../inbox/session-items.ts";
import type { Store } from "../store/store.ts";

/** Who watches, until when, and after which event. */
export interface Watching {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** The ID of the last event that was received. */
  readonly after: string | string[] | undefined;
}

/** Where to look. */
export interface WatchedParts {
  readonly store: Store;
  /** Calls of sessions on this machine that wait. Default: there are none. */
  readonly sessions?: SessionItems | undefined;
}

const lookMs = 250;
const maxEvents = 200;

/**
 * Yields what happens in an organization. The store is asked, so that the work of every process is
 * seen. The IDs of events are numbers of history; who was away for long gets the newest only.
 */
export async function* watchOrganization(
  { store, sessions }: WatchedParts,
  { principal, signal, after }: Watching,
): AsyncGenerator<ServerSentEvent> {
  const mayReadHistory = mayRead.every((permission) => mayOnSome(principal, permission));
  const mayReadInbox = principal.may("Inbox:GetItem");
  let last = Number(after);
  if (!Number.isSafeInteger(last) || last <= 0) last = await findLast(store, principal);
  let inbox = "";
  yield { event: "ready", data: {}, id: String(last) };
  while (!signal.aborted) {
    if (mayReadHistory) {
      const rows = await readAfter(store, principal, last);
      const allowed = rows.length === 0 ? undefined : await findAllowedTools(principal, mayRead);
      for (const { seq, id, tool_id, succeeded } of rows) {
        last = Number(seq);
        if (allowed !== undefined && !allowed.has(tool_id)) continue;
        const data = { id, tool_id, succeeded: succeeded === 1 };
        yield { event: "invocation", data, id: String(last) };
      }
    }
    if (mayReadInbox) {
      const calls = sessions?.list(principal, []).map(({ id }) => id) ?? [];
      const rows = await readInbox(store, principal);
      const waiting = rows.waiting + calls.length;
      const state = [rows.waiting, rows.newest, ...calls].join();
      if (state !== inbox) yield { event: "inbox", data: { waiting }, id: String(last) };
      inbox = state;
    }
    await delay(lookMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function findLast({ db }: Store, { organization }: Principal): Promise<number> {
  const row = await db
    .selectFrom("invocations")
    .select("seq")
    .where("org_id", "=", organization)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

async function readAfter(
  { db }: Store,
  { organization }: Principal,
  after: number,
): Promise<readonly { seq: number; id: string; tool_id: string; succeeded: 0 | 1 }[]> {
  const rows = await db
    .selectFrom("invocations")
    .select(["seq", "id", "tool_id", "succeeded"])
    .where("org_id", "=", organization)
    .where("seq", ">", after)
    .orderBy("seq", "desc")
    .limit(maxEvents)
    .execute();
  return rows.toReversed();
}

async function readInbox(
  { db }: Store,
  { organization }: Principal,
): Promise<{ readonly waiting: number; readonly newest: string }> {
  const row = await db
    .selectFrom("inbox_items")
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.max("id").as("newest")])
    .where("org_id", "=", organization)
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  return { waiting: Number(row.waiting), newest: row.newest ?? "" };
}
