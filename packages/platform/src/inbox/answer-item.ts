import type { JsonSchema } from "@haft/contract";
import { addResult } from "../async/journal.ts";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { createValueValidator } from "../project/input-validator.ts";
import { inboxAnswerContext } from "../secrets/sealed-context.ts";
import type { InboxItemRow } from "../store/schema.ts";
import { isTextList, readStoredJson } from "../store/stored-json.ts";

type Parts = Pick<PlatformParts, "store" | "secrets" | "audit" | "settings" | "now">;

/**
 * Records the answer to an item, and lets what waits for it continue. Of several answers one counts:
 * the others get a `Problem` 409 that says who answered.
 */
export async function answerItem(
  parts: Parts,
  principal: Principal,
  { item, answer }: { readonly item: InboxItemRow; readonly answer: unknown },
): Promise<void> {
  const { store, secrets, now } = parts;
  requireAnswerer(item, principal);
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
    const { numUpdatedRows } = await db
      .updateTable("inbox_items")
      .set({
        ...{ state: "answered", answered_at: at, answered_by: principal.userId },
        answered_key_id: principal.keyId,
        answer: secrets.seal(JSON.stringify(answer), inboxAnswerContext(item.org_id, item.id)),
      })
      .where("id", "=", item.id)
      .where("state", "=", "waiting")
      .where("deadline_at", ">", at)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const { source_id: invocationId, position } = item;
    await addResult(db, parts, { invocationId, position, result: { value: answer } });
    await db
      .updateTable("async_invocations")
      .set({ state: "queued", wake_at: null })
      .where("id", "=", invocationId)
      .where("state", "=", "waiting")
      .execute();
    await parts.audit.record(db, principal, {
      action: "inbox.answer",
      target: item.id,
      detail: { kind: item.kind, source: item.source_id, tool: item.tool_name },
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

function requireAnswerer({ answerers }: InboxItemRow, { userId, role }: Principal): void {
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

function conflict({ state, answered_by, answered_at }: InboxItemRow): Problem {
  if (state === "answered") {
    const at = new Date(answered_at ?? 0).toISOString();
    return new Problem(409, `The user ${answered_by} answered this at ${at}. That answer counts.`);
  }
  const why =
    state === "cancelled" ? "What waited for the answer has ended." : "Its deadline has passed.";
  return new Problem(409, `This can no longer be answered. ${why}`);
}
