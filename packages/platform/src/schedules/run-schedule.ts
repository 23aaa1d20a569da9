import type { Kysely } from "kysely";
import type { Acceptance } from "../async/accept.ts";
import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { ScheduleRow, ScheduleRunRow, Tables } from "../store/schema.ts";
import { parseCron } from "./cron.ts";
import { type Checked, type CheckParts, checkRun } from "./prepare-run.ts";

/** The services that runs of schedules use. */
export type RunParts = CheckParts &
  Pick<PlatformParts, "audit"> & { readonly acceptance: Acceptance };

/** Runs schedules: each run is an asynchronous invocation. */
export interface ScheduleRuns {
  /** Handles the times that are over. Of several processes one does. */
  runDue(schedule: ScheduleRow): Promise<void>;
  /** Starts a run that waited for the previous one, if that has ended. */
  runQueued(schedule: ScheduleRow, run: ScheduleRunRow): Promise<void>;
  /** Starts a run now. Throws a `Problem` if it can't be started. */
  runNow(schedule: ScheduleRow, author: Principal): Promise<ScheduleRunRow>;
}

type Outcome = Pick<ScheduleRunRow, "state" | "invocation_id" | "detail">;
type Time = Pick<ScheduleRunRow, "moment" | "missed">;

// A run that starts later than this was missed.
const graceMs = 60_000;
// A schedule has few runs that have not ended, and these are its last.
const lookedAt = 20;

/** Creates what runs schedules. */
export function createScheduleRuns(parts: RunParts): ScheduleRuns {
  const { store, now } = parts;

  const insertRun = async (
    db: Kysely<Tables>,
    { id: schedule_id }: ScheduleRow,
    run: Time & Outcome,
  ): Promise<ScheduleRunRow> => {
    const row = { id: newId(now()), schedule_id, ...run, created_at: now() };
    await db.insertInto("schedule_runs").values(row).execute();
    return row;
  };

  /** Records a time that starts nothing. `pauses`: the reason is one that lasts. */
  const settle = async (
    { schedule, time, next }: Due,
    outcome: Outcome,
    pauses = false,
  ): Promise<void> => {
    await store.db.transaction().execute(async (db) => {
      await advance(db, schedule, next);
      await insertRun(db, schedule, { ...time, ...outcome });
      if (pauses || next === null) await pause(db, schedule, outcome.detail ?? noMoreTimes);
    });
  };
  const pause = async (
    db: Kysely<Tables>,
    schedule: ScheduleRow,
    reason: string,
  ): Promise<void> => {
    await db
      .updateTable("schedules")
      .set({ state: "paused", next_at: null, pause_reason: reason, updated_at: now() })
      .where("id", "=", schedule.id)
      .execute();
    const { org_id: organization, user_id: userId, key_id: keyId, id: target } = schedule;
    const entry = { action: "schedule.pause", target, detail: { name: schedule.name, reason } };
    await parts.audit.record(db, { organization, userId, keyId }, entry);
  };

  return {
    runDue: async (schedule) => {
      const at = now();
      const first = schedule.next_at ?? at;
      const times = parseCron(schedule.cron, schedule.time_zone);
      const { last, count } = times.between(first, at);
      const isLate = at - last > graceMs;
      const missed = isLate ? count : count - 1;
      const due = {
        schedule,
        time: { moment: last, missed },
        next: times.next(at) ?? null,
      };
      await untilLost(async () => {
        if (await hasRun(store.db, schedule, last)) {
          // The clock was set back since.
          await store.db.transaction().execute((db) => advance(db, schedule, due.next));
          return;
        }
        if (isLate && schedule.missed === "skip") {
          const detail = `No process of the platform ran at ${new Date(last).toISOString()}.`;
          await settle(due, { state: "missed", invocation_id: null, detail });
          return;
        }
        const busy = await findBusy(store.db, schedule);
        if (busy !== undefined) {
          await settle(due, { ...busy, invocation_id: null });
          return;
        }
        const checked = await checkRun(parts, schedule);
        if ("detail" in checked) {
          const refused = {
            state: "refused",
            invocation_id: null,
            detail: checked.detail,
          } as const;
          await settle(due, refused, checked.lasts);
          return;
        }
        await accept(parts, checked, async (db, invocation_id) => {
          await advance(db, schedule, due.next);
          await insertRun(db, schedule, {
            ...due.time,
            ...{ state: "started", invocation_id, detail: null },
          });
          if (due.next === null) await pause(db, schedule, noMoreTimes);
        }).catch(async (error: unknown) => {
          if (!(error instanceof Problem) || error.status >= 500) throw error;
          await settle(due, { state: "refused", invocation_id: null, detail: error.message });
        });
      });
    },

    runQueued: async (schedule, run) => {
      if ((await findUnfinished(store.db, schedule)) !== undefined) return;
      const change = async (db: Kysely<Tables>, outcome: Outcome): Promise<void> => {
        const { numUpdatedRows } = await db
          .updateTable("schedule_runs")
          .set(outcome)
          .where("id", "=", run.id)
          .where("state", "=", "queued")
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw new Lost();
      };
      await untilLost(async () => {
        const checked = await checkRun(parts, schedule);
        if (!("detail" in checked)) {
          await accept(parts, checked, (db, invocation_id) =>
            change(db, { state: "started", invocation_id, detail: null }),
          );
          return;
        }
        const { detail } = checked;
        await store.db.transaction().execute(async (db) => {
          await change(db, { state: "refused", invocation_id: null, detail });
          if (checked.lasts) await pause(db, schedule, detail);
        });
      });
    },

    runNow: async (schedule, author) => {
      const time = { moment: null, missed: 0 };
      const entry = { action: "schedule.run", target: schedule.id };
      const detail = { name: schedule.name };
      const busy = await findBusy(store.db, schedule);
      if (busy?.state === "skipped") throw new Problem(409, busy.detail);
      if (busy !== undefined) {
        return store.db.transaction().execute(async (db) => {
          const run = await insertRun(db, schedule, { ...time, ...busy, invocation_id: null });
          await parts.audit.record(db, author, { ...entry, detail });
          return run;
        });
      }
      const checked = await checkRun(parts, schedule);
      if ("detail" in checked) throw new Problem(409, checked.detail);
      let run: ScheduleRunRow | undefined;
      await accept(parts, checked, async (db, invocation_id) => {
        const outcome = { state: "started", invocation_id, detail: null } as const;
        run = await insertRun(db, schedule, { ...time, ...outcome });
        await parts.audit.record(db, author, { ...entry, detail: { ...detail, invocation_id } });
      });
      return run as unknown as ScheduleRunRow;
    },
  };
}

/** A schedule with a time that is over, and the time after it. */
interface Due {
  readonly schedule: ScheduleRow;
  readonly time: Time;
  readonly next: number | null;
}

/** Another process was faster, or the schedule was paused or removed. The transaction is undone. */
class Lost extends Error {}

async function untilLost(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof Lost)) throw error;
  });
}

/** Returns whether a time of a schedule was handled. */
async function hasRun(db: Kysely<Tables>, { id }: ScheduleRow, moment: number): Promise<boolean> {
  const query = db.selectFrom("schedule_runs").select("id").where("schedule_id", "=", id);
  return (await query.where("moment", "=", moment).executeTakeFirst()) !== undefined;
}

/** Moves a schedule to its next time, unless another process has. */
async function advance(
  db: Kysely<Tables>,
  { id, next_at }: ScheduleRow,
  next: number | null,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("schedules")
    .set({ next_at: next })
    .where("id", "=", id)
    .where("next_at", "=", next_at)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Lost();
}

async function accept(
  { acceptance }: RunParts,
  { principal, ready }: Extract<Checked, { ready: unknown }>,
  also: (db: Kysely<Tables>, invocationId: string) => Promise<void>,
): Promise<void> {
  await acceptance.accept(principal, ready, { also: (db, [id = ""]) => also(db, id) });
}

/** Returns a run of a schedule that has not ended. */
function findUnfinished(
  db: Kysely<Tables>,
  { id }: ScheduleRow,
): Promise<{ readonly id: string } | undefined> {
  const last = db
    .selectFrom("schedule_runs")
    .select("invocation_id")
    .where("schedule_id", "=", id)
    .where("invocation_id", "is not", null)
    .orderBy("id", "desc")
    .limit(lookedAt);
  return db
    .selectFrom("async_invocations")
    .select("id")
    .where("state", "!=", "ended")
    .where("id", "in", db.selectFrom(last.as("last")).select("invocation_id"))
    .limit(1)
    .executeTakeFirst();
}

/** Returns what becomes of a time at which the previous run has not ended. */
async function findBusy(
  db: Kysely<Tables>,
  schedule: ScheduleRow,
): Promise<{ readonly state: "skipped" | "queued"; readonly detail: string } | undefined> {
  const unfinished = await findUnfinished(db, schedule);
  const queued = await db
    .selectFrom("schedule_runs")
    .select("id")
    .where("schedule_id", "=", schedule.id)
    .where("state", "=", "queued")
    .executeTakeFirst();
  if (queued !== undefined) {
    return { state: "skipped", detail: "Another run waits for the previous one to end." };
  }
  if (unfinished === undefined) return undefined;
  const detail = `The previous run (invocation ${unfinished.id}) has not ended.`;
  return { state: schedule.overlap === "queue" ? "queued" : "skipped", detail };
}

const noMoreTimes = "Its cron expression names no more times.";
