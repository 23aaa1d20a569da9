import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { beat } from "./heartbeat.ts";
import type { InvocationDraft, NewInvocation } from "./history.ts";
import { type InsertInvocations, lockHistory } from "./invocation-table.ts";
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

/** Something to write: how an invocation ended or, without a row, that it is under way. */
export interface HistoryRecord {
  readonly invocation: RunningInvocation;
  readonly row?: NewInvocation;
}

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

/** Makes what writes records in one transaction. It returns how many rows there were, and how long. */
export function createRecordWriter(
  parts: Parts,
  index: SearchIndex,
  insert: InsertInvocations,
): (records: readonly HistoryRecord[]) => Promise<{ rows: number; characters: number }> {
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

  return async (records) => {
    const rows: NewInvocation[] = [];
    const written: string[] = [];
    const begun: RunningInvocation[] = [];
    let characters = 0;
    for (const { invocation, row } of records) {
      if (row === undefined) {
        if (!invocation.hasEnded) begun.push(invocation);
        continue;
      }
      rows.push(row);
      characters += countCharacters(row);
      if (invocation.isWritten) written.push(invocation.draft.id);
    }
    if (rows.length + begun.length === 0) return { rows: 0, characters: 0 };
    await transact(parts.store, async (db) => {
      await lockHistory(db, parts.store);
      if (begun.length > 0) await writeRunning(db, begun);
      if (written.length > 0) await replaceRunning(db, index, written);
      await insert(db, rows);
    });
    hasBeat ||= begun.length > 0;
    return { rows: rows.length, characters };
  };
}

/** A full disk ends a transaction of SQLite by itself. What can't be ended again is not the reason. */
async function transact({ db }: Store, work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  let reason: unknown;
  try {
    await db.transaction().execute((transaction) =>
      work(transaction).catch((error: unknown) => {
        reason = error;
        throw error;
      }),
    );
  } catch (error) {
    throw reason ?? error;
  }
}

/** Makes room for how invocations ended that were written down as being under way. */
async function replaceRunning(
  db: Kysely<Tables>,
  index: SearchIndex,
  ids: readonly string[],
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("running_invocations")
    .where("id", "in", ids)
    .executeTakeFirstOrThrow();
  if (Number(numDeletedRows) === ids.length) return;
  // Somebody took this process for dead and them for lost. They were not: what is true counts.
  const wrong = await db
    .deleteFrom("invocations")
    .where("id", "in", ids)
    .returning("seq")
    .execute();
  await index.remove(
    db,
    wrong.map(({ seq }) => seq),
  );
}

function countCharacters(row: NewInvocation): number {
  return (
    (row.output?.length ?? 0) +
    (row.exception_message?.length ?? 0) +
    (row.exception_stack_trace?.length ?? 0)
  );
}
