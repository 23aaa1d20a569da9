import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables } from "../store/schema.ts";
import { beat } from "./heartbeat.ts";
import type { InvocationDraft, NewInvocation } from "./history.ts";
import { type InsertInvocations, lockHistory } from "./invocation-table.ts";
import { lostMessage } from "./lost-invocations.ts";
import { type HistoryParts, removeInvocations } from "./remove-invocations.ts";
import type { SearchIndex } from "./search-index.ts";

/** An invocation that this process has begun. */
export interface RunningInvocation {
  readonly draft: InvocationDraft;
  /** When it began, as a number of the timer's turns. */
  readonly turn: number;
  hasEnded: boolean;
  /** That it is under way may be written down. */
  isWritten: boolean;
}

/** Something to write: how an invocation ended or, without a row, that it is under way or waits. */
export interface HistoryRecord {
  readonly invocation: RunningInvocation;
  readonly row?: NewInvocation;
  /** It is no longer under way, and has not ended. */
  readonly hasLeft?: true;
}

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

/**
 * Writes records in one transaction. Returns how many rows there were, and how long. `isRepeated`: they
 * may have been written before, when only the answer of the database was lost.
 */
export type WriteRecords = (
  records: readonly HistoryRecord[],
  options?: { readonly isRepeated?: boolean },
) => Promise<{ rows: number; characters: number }>;

/** Makes what writes records. */
export function createRecordWriter(
  parts: Parts,
  index: SearchIndex,
  insert: InsertInvocations,
): WriteRecords {
  const made = { store: parts.store, index };
  let hasBeat = false;

  const writeRunning = async (
    db: Kysely<Tables>,
    begun: readonly RunningInvocation[],
  ): Promise<void> => {
    // Without a sign of life of its process another one would take it for lost.
    if (!hasBeat) await beat(parts, db);
    for (const invocation of begun) invocation.isWritten = true;
    const rows = begun.map(({ draft }) => ({
      id: draft.id,
      org_id: draft.org_id,
      owner: parts.processId,
      draft: JSON.stringify(draft),
      started_at: draft.created_at,
    }));
    await db.insertInto("running_invocations").values(rows).execute();
  };

  return async (records, { isRepeated = false } = {}) => {
    const rows: NewInvocation[] = [];
    const written: string[] = [];
    const begun: RunningInvocation[] = [];
    const left: string[] = [];
    let characters = 0;
    for (const { invocation, row, hasLeft } of records) {
      if (hasLeft) {
        if (invocation.isWritten) left.push(invocation.draft.id);
        continue;
      }
      if (row === undefined) {
        if (!invocation.hasEnded) begun.push(invocation);
        continue;
      }
      rows.push(row);
      characters += countCharacters(row);
      if (invocation.isWritten) written.push(invocation.draft.id);
    }
    if (rows.length + begun.length + left.length === 0) return { rows: 0, characters: 0 };
    await parts.store.later.transact(async (db) => {
      await lockHistory(db, parts.store);
      if (begun.length > 0) await writeRunning(db, begun);
      if (left.length > 0) {
        await db.deleteFrom("running_invocations").where("id", "in", left).execute();
      }
      if (isRepeated) await insert(db, await findMissing(db, made, rows));
      else {
        if (written.length > 0) await replaceRunning(db, made, written);
        await insert(db, rows);
      }
    });
    await parts.store.later.flush();
    hasBeat ||= begun.length > 0;
    return { rows: rows.length, characters };
  };
}

/** Makes room for how invocations ended that were written down as being under way. */
async function replaceRunning(
  db: Kysely<Tables>,
  made: HistoryParts,
  ids: readonly string[],
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("running_invocations")
    .where("id", "in", ids)
    .executeTakeFirstOrThrow();
  if (Number(numDeletedRows) === ids.length) return;
  // Somebody took this process for dead and them for lost. They were not: what is true counts.
  const wrong = await db.selectFrom("invocations").select("seq").where("id", "in", ids).execute();
  await removeInvocations(
    db,
    made,
    wrong.map(({ seq }) => seq),
  );
}

/**
 * The rows that are yet to be written. What another process recorded for them when it took this one
 * for dead is removed.
 */
export async function findMissing(
  db: Kysely<Tables>,
  made: HistoryParts,
  rows: readonly NewInvocation[],
): Promise<readonly NewInvocation[]> {
  const ids = rows.map(({ id }) => id);
  await db.deleteFrom("running_invocations").where("id", "in", ids).execute();
  const found = await db
    .selectFrom("invocations")
    .select(["seq", "id", "exception_message"])
    .where("id", "in", ids)
    .execute();
  const wrong = found.filter(({ exception_message }) => exception_message === lostMessage);
  await removeInvocations(
    db,
    made,
    wrong.map(({ seq }) => seq),
  );
  const recorded = new Set(found.filter((row) => !wrong.includes(row)).map(({ id }) => id));
  return rows.filter(({ id }) => !recorded.has(id));
}

function countCharacters(row: NewInvocation): number {
  return (
    (row.output?.length ?? 0) +
    (row.exception_message?.length ?? 0) +
    (row.exception_stack_trace?.length ?? 0) +
    (row.printed?.length ?? 0)
  );
}
