import type { Kysely } from "kysely";
import type { History, InvocationDraft } from "../history/history.ts";
import { isDraft, lostMessage } from "../history/lost-invocations.ts";
import { joinPayloads } from "../history/payloads.ts";
import { openItem } from "../inbox/open-item.ts";
import type { HideSecrets } from "../invoke/hide-secrets.ts";
import { toRow } from "../invoke/invocation-rows.ts";
import { toInvocationResult } from "../invoke/to-invocation-result.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { joinPrinted, type PrintedOutput } from "../runner/printed-output.ts";
import type { Wait } from "../runner/run-journal.ts";
import type { ToolRunResult } from "../runner/runner.ts";
import type { AsyncInvocationRow, Tables } from "../store/schema.ts";
import { readStoredJson, readStoredJsonOr } from "../store/stored-json.ts";
import {
  type EndedInvocation,
  emitInboxEvent,
  emitInvocationEvent,
  toOutcome,
} from "../webhooks/emit-event.ts";
import type { InvocationEvents } from "./events.ts";
import { addResult } from "./journal.ts";

/** The services that settle runs. */
export type SettleParts = PlatformParts & {
  readonly history: Pick<History, "begin">;
  readonly events: InvocationEvents;
};

/** How a run of an invocation is over: the invocation waits, has ended, or starts again. */
export interface Settling {
  /** Records what it waits for. */
  suspend(row: AsyncInvocationRow, run: SuspendedRun): Promise<void>;
  /** Records in history how it ended. Returns false if another run was started meanwhile. */
  end(row: AsyncInvocationRow, result: ToolRunResult, hide: HideSecrets): Promise<boolean>;
  /**
   * Lets it continue from its journal. If the journal is empty it has ended, because it is not
   * repeated, unless it has not begun.
   */
  release(row: AsyncInvocationRow, hasNotBegun?: boolean): Promise<void>;
}

/** A run that ended because the tool waits. */
export interface SuspendedRun {
  readonly waits: readonly Wait[];
  readonly durationMs: number;
  readonly printed: PrintedOutput | undefined;
  readonly tool: { readonly name: string; readonly version: string };
  readonly hide: HideSecrets;
}

const dayMs = 86_400_000;
// An invocation that is interrupted time and again may be what stops the server.
const maxInterruptions = 100;

/** Creates what settles runs. */
export function createSettling(parts: SettleParts): Settling {
  const { store, events, now } = parts;

  /** Changes the row of a run in a transaction, unless another run was started meanwhile. */
  const change = async (
    row: AsyncInvocationRow,
    work: (
      db: Kysely<Tables>,
      now: Pick<AsyncInvocationRow, "is_cancelled">,
    ) => Promise<Partial<AsyncInvocationRow>>,
  ): Promise<boolean> => {
    const isDone = await store.db.transaction().execute(async (db) => {
      const locked = await db
        .updateTable("async_invocations")
        .set({ updated_at: now() })
        .where("id", "=", row.id)
        .where("attempt", "=", row.attempt)
        .where("state", "=", "running")
        .returning("is_cancelled")
        .executeTakeFirst();
      if (locked === undefined) return false;
      const changed = { ...(await work(db, locked)), owner: null };
      await db.updateTable("async_invocations").set(changed).where("id", "=", row.id).execute();
      return true;
    });
    events.wake(row.id);
    return isDone;
  };

  const suspend: Settling["suspend"] = async (row, { waits, durationMs, printed, ...shown }) => {
    await change(row, async (db, { is_cancelled }) => {
      const steps = await db
        .selectFrom("invocation_steps")
        .select(["position", "due_at", "ordinal"])
        .where("invocation_id", "=", row.id)
        .execute();
      // A cancelled one ends when it continues.
      let isDue = is_cancelled === 1;
      let wakeAt = row.expires_at;
      for (const wait of waits) {
        const known = steps.find(({ position }) => position === wait.position);
        const dueAt = known?.due_at ?? toDueAt(wait, row, now());
        // It was answered while the tool ran.
        if (known !== undefined && known.ordinal !== null) isDue = true;
        wakeAt = Math.min(wakeAt, dueAt);
        if (known !== undefined) continue;
        await db
          .insertInto("invocation_steps")
          .values({
            ...{ invocation_id: row.id, position: wait.position, kind: wait.kind },
            ...{ name: wait.kind, is_repeatable: 0, due_at: dueAt, ordinal: null, result: "" },
            created_at: now(),
          })
          .execute();
        const problem =
          findProblem(wait, row, now()) ??
          (await openItem(db, parts, { ...shown, row, wait, dueAt }));
        if (problem === undefined) continue;
        const result = { error: { type: "InvalidWait", message: problem } };
        await addResult(db, parts, { invocationId: row.id, position: wait.position, result });
        isDue = true;
      }
      const state = isDue ? "queued" : "waiting";
      const data = JSON.stringify({ state });
      await events.addIn(db, { invocationId: row.id, event: "state", data });
      return {
        state,
        wake_at: isDue ? null : wakeAt,
        active_ms: row.active_ms + Math.round(durationMs),
        printed: JSON.stringify(joinPrinted(readPrinted(row), printed) ?? null),
      };
    });
  };

  const end: Settling["end"] = async (row, result, hide) => {
    const draft = readDraft(row);
    const durationMs = row.active_ms + result.durationMs;
    const printed = joinPrinted(readPrinted(row), result.printed);
    const whole = { ...result, durationMs, ...(printed !== undefined && { printed }) };
    const current = await store.db
      .selectFrom("async_invocations")
      .select("id")
      .where("id", "=", row.id)
      .where("attempt", "=", row.attempt)
      .where("state", "=", "running")
      .executeTakeFirst();
    if (current === undefined) return false;
    await parts.history.begin(draft).end(toRow(draft, whole, { hide, at: now() }));
    return close(row, {
      outcome: toOutcome(result.succeeded, result.succeeded ? null : result.exceptionType),
      duration_ms: durationMs,
      result: hide.inJson(toInvocationResult(whole)),
    });
  };

  const close = async (
    row: AsyncInvocationRow,
    {
      result,
      ...ended
    }: Pick<EndedInvocation, "outcome" | "duration_ms"> & { readonly result: string },
  ): Promise<boolean> =>
    change(row, async (db) => {
      await db.deleteFrom("invocation_steps").where("invocation_id", "=", row.id).execute();
      const at = now();
      const items = await db
        .updateTable("inbox_items")
        .set({ state: "cancelled" })
        .where("source_id", "=", row.id)
        .where("state", "=", "waiting")
        .returningAll()
        .execute();
      for (const item of items) await emitInboxEvent(db, item, { state: "cancelled", at });
      const { webhook_id: webhookId } = row;
      await emitInvocationEvent(db, { ...readDraft(row), ...ended }, { at, webhookId });
      const data = JSON.stringify({ state: "ended" });
      await events.addIn(db, { invocationId: row.id, event: "state", data });
      await events.addIn(db, { invocationId: row.id, event: "result", data: result });
      return { state: "ended", request: "", printed: null, wake_at: null };
    });

  const readCancelled = async (id: string): Promise<boolean> => {
    const query = store.db.selectFrom("async_invocations").select("is_cancelled");
    return (await query.where("id", "=", id).executeTakeFirst())?.is_cancelled === 1;
  };

  const release: Settling["release"] = async (row, hasNotBegun = false) => {
    // It may have ended just before its process died.
    const recorded = await store.db
      .selectFrom("invocations")
      .select(["id", "apart", "succeeded", "output"])
      .select(["exception_type", "exception_message", "duration_ms"])
      .where("id", "=", row.id)
      .executeTakeFirst();
    if (recorded !== undefined) {
      const [whole = recorded] = await joinPayloads(store.db, [recorded]);
      const { succeeded, output, duration_ms, exception_type, exception_message } = whole;
      const failed = { exception_type, exception_message, exception_stack_trace: [] };
      const result =
        succeeded === 1 ? { succeeded: true, output } : { succeeded: false, ...failed };
      await close(row, {
        outcome: toOutcome(succeeded === 1, exception_type),
        duration_ms,
        result: JSON.stringify({ ...result, duration_ms }),
      });
      return;
    }
    const steps = await store.db
      .selectFrom("invocation_steps")
      .selectAll()
      .where("invocation_id", "=", row.id)
      .execute();
    const isHopeless = row.attempt > 2 * parts.settings.async.maxSteps + maxInterruptions;
    const isCancelled = await readCancelled(row.id);
    if ((steps.length === 0 && !hasNotBegun) || isHopeless || isCancelled) {
      const lost = toFailure("WorkerDied", lostMessage);
      const result = isCancelled ? toFailure("Cancelled", cancelledMessage) : lost;
      await end(row, result, nothingToHide);
      return;
    }
    await change(row, async (db) => {
      for (const { position, kind, name, ordinal, is_repeatable } of steps) {
        if (kind !== "step" || ordinal !== null) continue;
        if (is_repeatable === 1) {
          await db
            .deleteFrom("invocation_steps")
            .where("invocation_id", "=", row.id)
            .where("position", "=", position)
            .execute();
          continue;
        }
        const result = { error: { type: "StepInterrupted", message: interrupted(name) } };
        await addResult(db, parts, { invocationId: row.id, position, result });
      }
      const data = JSON.stringify({ state: "queued" });
      await events.addIn(db, { invocationId: row.id, event: "state", data });
      return { state: "queued" };
    });
  };

  return { suspend, end, release };
}

/** What the record of a cancelled invocation says. */
export const cancelledMessage = "The invocation was cancelled.";

// The texts are the platform's own.
const nothingToHide: HideSecrets = { inText: (text) => text, inJson: JSON.stringify };

/** Creates the result of an invocation that the platform ended. */
export function toFailure(exceptionType: string, exceptionMessage: string): ToolRunResult {
  const failure = { succeeded: false, exceptionType, exceptionMessage } as const;
  return { ...failure, exceptionStackTrace: [], durationMs: 0 };
}

/** Reads the columns of history that were known when an invocation was accepted. */
export function readDraft(row: Pick<AsyncInvocationRow, "id" | "draft">): InvocationDraft {
  return readStoredJson<InvocationDraft>(row.draft, `The invocation ${row.id}`, isDraft);
}

function readPrinted({ printed }: AsyncInvocationRow): PrintedOutput | undefined {
  return readStoredJsonOr<PrintedOutput | null>(printed ?? "null", null, () => true) ?? undefined;
}

function toDueAt(wait: Wait, { expires_at }: AsyncInvocationRow, at: number): number {
  const ms = wait.kind === "sleep" ? wait.ms : (wait.deadlineMs ?? expires_at - at);
  return Math.min(Math.round(at + ms), expires_at);
}

function findProblem(
  wait: Wait,
  { expires_at, created_at }: AsyncInvocationRow,
  at: number,
): string | undefined {
  const ms = wait.kind === "sleep" ? wait.ms : (wait.deadlineMs ?? 0);
  if (at + ms <= expires_at) return undefined;
  const days = Math.round((expires_at - created_at) / dayMs);
  return `An invocation can wait until it is ${days} days old. Wait for less.`;
}

function interrupted(name: string): string {
  return `The server stopped while the step ${JSON.stringify(name)} ran, so it may have had its effect. It was not repeated. Check, or mark the step as repeatable.`;
}
