import { type Kysely, sql } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { JournalEntry, JournalState, RunJournal, StepResult } from "../runner/run-journal.ts";
import { stepResultContext } from "../secrets/sealed-context.ts";
import type { Tables } from "../store/schema.ts";

type Parts = Pick<PlatformParts, "store" | "secrets" | "settings" | "now">;

/** Reads the recorded calls of an invocation. */
export async function readJournal(
  { store, secrets }: Pick<Parts, "store" | "secrets">,
  invocationId: string,
): Promise<readonly JournalEntry[]> {
  const rows = await store.db
    .selectFrom("invocation_steps")
    .selectAll()
    .where("invocation_id", "=", invocationId)
    .orderBy("position")
    .execute();
  return rows.map(({ position, kind, name, ordinal, result }) => ({
    ...{ position, kind, name },
    ...(ordinal !== null && {
      ordinal,
      result: JSON.parse(
        secrets.open(result, stepResultContext(invocationId, position)),
      ) as StepResult,
    }),
  }));
}

/** Opens the journal of an invocation for one of its runs. */
export function openJournal(parts: Parts, invocationId: string, state: JournalState): RunJournal {
  const { store, settings, now } = parts;
  let characters = JSON.stringify(state.entries).length;
  const run = { invocationId, attempt: state.attempt };
  return {
    ...state,
    begin: async ({ position, name, isRepeatable }) => {
      await store.db.transaction().execute(async (db) => {
        await requireCurrent(db, run, now());
        await db
          .insertInto("invocation_steps")
          .values({
            ...{ invocation_id: invocationId, position, kind: "step", name },
            is_repeatable: isRepeatable ? 1 : 0,
            ...{ due_at: null, ordinal: null, result: "", created_at: now() },
          })
          .execute();
      });
    },
    end: async (position, given) => {
      const { maxResultCharacters, maxJournalCharacters } = settings.async;
      const size = JSON.stringify(given).length;
      const isFull = characters + size > maxJournalCharacters;
      const isLong = size > maxResultCharacters + "{value:}".length * 2;
      const result = isFull || isLong ? tooLarge(isFull) : given;
      characters += isFull || isLong ? 0 : size;
      await store.db.transaction().execute(async (db) => {
        await requireCurrent(db, run, now());
        await addResult(db, parts, { invocationId, position, result });
      });
      return result;
    },
  };
}

/**
 * Records the result of a call, unless it has one. Within a transaction that has changed the row of
 * the invocation, so that results are numbered one after the other. Returns whether it was recorded.
 */
export async function addResult(
  db: Kysely<Tables>,
  { secrets }: Pick<Parts, "secrets">,
  {
    invocationId,
    position,
    result,
  }: {
    readonly invocationId: string;
    readonly position: number;
    readonly result: StepResult;
  },
): Promise<boolean> {
  const sealed = secrets.seal(JSON.stringify(result), stepResultContext(invocationId, position));
  const { numUpdatedRows } = await db
    .updateTable("invocation_steps")
    .set({
      result: sealed,
      ordinal: sql<number>`(select coalesce(max(other.ordinal), 0) + 1
        from invocation_steps as other where other.invocation_id = ${invocationId})`,
    })
    .where("invocation_id", "=", invocationId)
    .where("position", "=", position)
    .where("ordinal", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks the row of an invocation. Throws if another run was started, or the invocation is cancelled. */
async function requireCurrent(
  db: Kysely<Tables>,
  { invocationId, attempt }: { readonly invocationId: string; readonly attempt: number },
  at: number,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("async_invocations")
    .set({ updated_at: at })
    .where("id", "=", invocationId)
    .where("attempt", "=", attempt)
    .where("state", "=", "running")
    .where("is_cancelled", "=", 0)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new Error("it was cancelled, or another process continues it");
  }
}

function tooLarge(isFull: boolean): StepResult {
  const what = isFull ? "the results of all steps together are" : "its result is";
  const message = `The step ran, but ${what} too large to be recorded. Return less.`;
  return { error: { type: "ResultTooLarge", message } };
}
