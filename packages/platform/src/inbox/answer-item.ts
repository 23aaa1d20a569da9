import type { JsonSchema } from "@haft/contract";
import { addResult } from "../async/journal.ts";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { createValueValidator } from "../project/input-validator.ts";
import { inboxAnswerContext } from "../secrets/sealed-context.ts";
import { toShownName } from "../shown-name.ts";
import type { InboxItemRow } from "../store/schema.ts";
import { isTextList, readStoredJson } from "../store/stored-json.ts";
import { emitInboxEvent } from "../webhooks/emit-event.ts";

type Parts = Pick<PlatformParts, "store" | "secrets" | "audit" | "settings" | "now">;

/** Who answers: a caller, or for a link the user who made it. */
export type Answerer = Pick<Principal, "organization" | "userId" | "keyId" | "role">;

/** An answer to an item. */
export interface NewAnswer {
  readonly item: InboxItemRow;
  readonly answer: unknown;
  /** How it came. Default: `api`. */
  readonly via?: NonNullable<InboxItemRow["answered_via"]>;
  /** Who decided, in another system, as the caller says. */
  readonly onBehalfOf?: string | null;
}

/**
 * Records the answer to an item, and lets what waits for it continue. Of several answers one counts:
 * the others get a `Problem` 409 that says who answered.
 */
export async function answerItem(
  parts: Parts,
  principal: Answerer,
  { item, answer, via = "api", onBehalfOf = null }: NewAnswer,
): Promise<void> {
  const { store, secrets, now } = parts;
  // Who made a link was allowed to answer.
  if (via !== "link") requireAnswerer(item, principal);
  if (item.state !== "waiting") throw conflict(item);
  requireFitting(item, answer, parts.settings.async.maxResultCharacters);
  const isFirst = await store.db.transaction().execute(async (db) => {
    const at = now();
    // First the invocation, in the same order as all who change both.
    await db
      .updateTable("async_invocations")
      .set({ updated_at: at })
      .where("id", "=", item.source_id)
      .execute();
    const answered = await db
      .updateTable("inbox_items")
      .set({
        ...{ state: "answered", answered_at: at, answered_by: principal.userId },
        ...{ answered_key_id: principal.keyId, answered_via: via, on_behalf_of: onBehalfOf },
        answer: secrets.seal(JSON.stringify(answer), inboxAnswerContext(item.org_id, item.id)),
      })
      .where("id", "=", item.id)
      .where("state", "=", "waiting")
      .where("deadline_at", ">", at)
      .returningAll()
      .executeTakeFirst();
    if (answered === undefined) return false;
    const { source_id: invocationId, position } = item;
    await addResult(db, parts, { invocationId, position, result: { value: answer } });
    await db
      .updateTable("async_invocations")
      .set({ state: "queued", wake_at: null })
      .where("id", "=", invocationId)
      .where("state", "=", "waiting")
      .execute();
    await emitInboxEvent(db, answered, { state: "answered", at });
    await parts.audit.record(db, principal, {
      action: "inbox.answer",
      target: item.id,
      detail: {
        ...{ kind: item.kind, source: item.source_id, tool: item.tool_name, via },
        ...(onBehalfOf !== null && { on_behalf_of: onBehalfOf }),
      },
    });
    return true;
  });
  if (!isFirst) throw conflict(await requireItem(parts, principal, item.id));
}

/** Finds an item of the caller's organization. Throws a `Problem` 404. */
export async function requireItem(
  { store }: Pick<Parts, "store">,
  { organization }: Pick<Principal, "organization">,
  id: string,
): Promise<InboxItemRow> {
  const row = await store.db
    .selectFrom("inbox_items")
    .selectAll()
    .where("id", "=", id)
    .where("org_id", "=", organization)
    .executeTakeFirst();
  if (row === undefined) throw noItem(id);
  return row;
}

/** Creates the error for an item that is not there, or that the caller may not see. */
export function noItem(id: string): Problem {
  return new Problem(404, `There is no item ${id} in the inbox.`);
}

/** Throws a `Problem` 403 if an item is for other users or roles. */
export function requireAnswerer({ answerers }: InboxItemRow, { userId, role }: Answerer): void {
  if (answerers === null) return;
  const names = readStoredJson<readonly string[]>(answerers, "The list of answerers", isTextList);
  if (names.includes(userId) || names.includes(role)) return;
  throw new Problem(403, "This question is for other users or roles. See its answerers.");
}

function requireFitting({ schema }: InboxItemRow, answer: unknown, maxCharacters: number): void {
  if (JSON.stringify(answer).length > maxCharacters) {
    throw new Problem(400, `The answer has more than ${maxCharacters} characters of JSON.`);
  }
  if (schema === null) return;
  const validate = createValueValidator(
    readStoredJson<JsonSchema>(schema, "The schema of the answer"),
    "answer",
  );
  const complaint = validate(answer);
  if (complaint === undefined) return;
  const msg = `It does not match the schema of the question: ${complaint}.`;
  throw new InvalidRequest([{ loc: ["body", "answer"], msg, type: "value_error" }]);
}

function conflict(item: InboxItemRow): Problem {
  return new Problem(409, describeEnd(item));
}

/** Says who answered an item and when, or why it can no longer be answered. */
export function describeEnd(item: InboxItemRow): string {
  const { state, answered_by, answered_at, answered_via, on_behalf_of } = item;
  if (state === "answered") {
    const at = new Date(answered_at ?? 0).toISOString();
    const who = on_behalf_of === null ? "" : ` for ${toShownName(on_behalf_of)}`;
    const link = answered_via === "link" ? " through a link" : "";
    return `The user ${answered_by} answered this${who}${link} at ${at}. That answer counts.`;
  }
  const why =
    state === "cancelled" ? "What waited for the answer has ended." : "Its deadline has passed.";
  return `This can no longer be answered. ${why}`;
}
