import type { JsonSchema } from "@haft/contract";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import type { Kysely } from "kysely";
import type { HideSecrets } from "../invoke/hide-secrets.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createValueValidator } from "../project/input-validator.ts";
import type { Wait } from "../runner/run-journal.ts";
import type { AsyncInvocationRow, Tables } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import { emitInboxEvent } from "../webhooks/emit-event.ts";

/** A question of an invocation. */
export interface OpeningItem {
  readonly row: AsyncInvocationRow;
  readonly wait: Wait;
  readonly tool: { readonly name: string; readonly version: string };
  readonly hide: HideSecrets;
  readonly dueAt: number;
}

/** Adds a tool's question to the inbox. Returns what is wrong with the question, if anything. */
export async function openItem(
  db: Kysely<Tables>,
  { now }: Pick<PlatformParts, "now">,
  { row, wait, tool, hide, dueAt }: OpeningItem,
): Promise<string | undefined> {
  if (wait.kind !== "ask") return undefined;
  const { schema, answerers } = wait;
  const problem = schema === undefined ? undefined : findSchemaProblem(schema);
  if (problem !== undefined) return `The schema of the answer can't be used: ${problem}`;
  const draft = readStoredJsonOr<{ readonly inputs?: string }>(row.draft, {}, isPlainObject);
  const item = await db
    .insertInto("inbox_items")
    .values({
      ...{ id: newId(now()), org_id: row.org_id, kind: "question", state: "waiting" },
      ...{ source_type: "invocation", source_id: row.id, position: wait.position },
      ...{ tool_id: row.tool_id, tool_name: tool.name, tool_version: tool.version },
      // Without secrets, as in history.
      ...{ arguments: draft.inputs ?? "{}", detail: "{}" },
      question: hide.inText(wait.question).toWellFormed(),
      schema: schema === undefined ? null : JSON.stringify(schema),
      answerers: answerers === undefined ? null : JSON.stringify(answerers),
      ...{ user_id: row.user_id, created_at: now(), deadline_at: dueAt },
      ...{ answered_at: null, answered_by: null, answered_key_id: null, answer: "" },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await emitInboxEvent(db, item, { state: "waiting", at: item.created_at });
  return undefined;
}

function findSchemaProblem(schema: unknown): string | undefined {
  if (!isPlainObject(schema) && typeof schema !== "boolean") return "it is not an object";
  try {
    createValueValidator(schema as JsonSchema, "input");
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  }
}
