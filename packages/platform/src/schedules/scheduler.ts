import { createCautiousClock } from "../cautious-clock.ts";
import { createPoller } from "../create-poller.ts";
import { parseCron } from "./cron.ts";
import { createScheduleRuns, type RunParts, type ScheduleRuns } from "./run-schedule.ts";

/** Runs the schedules of a store. Any number of processes can. */
export interface Scheduler {
  readonly runs: ScheduleRuns;
  /** Looks for schedules that are due now. */
  poke(): void;
  /** Removes records of old runs. */
  tidy(): Promise<void>;
  /** Starts no more, and waits for what it does now. */
  stop(): Promise<void>;
}

/** The services that a scheduler uses. */
export type SchedulerParts = RunParts & {
  /** Returns why nothing can be recorded now. Then nothing is started. */
  findFailure?(): Error | undefined;
  /** Receives errors that no caller waits for. */
  onError?(error: unknown): void;
};

// A schedule that fails for a reason of the platform's, such as its database, is tried again after this.
const retryMs = 30_000;
const keptMs = 30 * 86_400_000;
const batch = 100;

/** Starts a scheduler. */
export function startScheduler(parts: SchedulerParts): Scheduler {
  const { store, now } = parts;
  const runs = createScheduleRuns(parts);
  const ageNow = createCautiousClock(now);
  const retryAt = new Map<string, number>();
  let isStopped = false;
  let lookedAt = Number.POSITIVE_INFINITY;

  /** Brings forward the times that were computed while the clock was ahead of now. */
  const correct = async (): Promise<void> => {
    const at = now();
    const ahead = await store.db
      .selectFrom("schedules")
      .select(["id", "cron", "time_zone", "next_at"])
      .where("next_at", ">", at)
      .execute();
    for (const { id, cron, time_zone, next_at } of ahead) {
      const next = parseCron(cron, time_zone).next(at);
      if (next === undefined || next >= (next_at ?? next)) continue;
      await store.db
        .updateTable("schedules")
        .set({ next_at: next })
        .where("id", "=", id)
        .where("next_at", "=", next_at)
        .execute();
    }
  };

  /** Returns after how many milliseconds a schedule is due. */
  const look = async (): Promise<number> => {
    if (parts.findFailure?.() !== undefined) return Number.POSITIVE_INFINITY;
    // At the start, too: the clock may have been set while no process ran.
    if (now() < lookedAt) await correct();
    lookedAt = now();
    const due = await store.db
      .selectFrom("schedules")
      .selectAll()
      .where("next_at", "<=", now())
      .orderBy("next_at")
      .limit(batch)
      .execute();
    for (const schedule of due) await attempt(schedule.id, () => runs.runDue(schedule));
    const queued = await store.db
      .selectFrom("schedule_runs")
      .selectAll()
      .where("state", "=", "queued")
      .orderBy("id")
      .limit(batch)
      .execute();
    for (const run of queued) {
      const schedule = await store.db
        .selectFrom("schedules")
        .selectAll()
        .where("id", "=", run.schedule_id)
        .executeTakeFirst();
      if (schedule !== undefined) await attempt(schedule.id, () => runs.runQueued(schedule, run));
    }
    const next = await store.db
      .selectFrom("schedules")
      .select(({ fn }) => fn.min("next_at").as("at"))
      .where("next_at", ">", now())
      .executeTakeFirst();
    return (next?.at ?? Number.POSITIVE_INFINITY) - now();
  };
  const attempt = async (id: string, work: () => Promise<void>): Promise<void> => {
    if (isStopped || (retryAt.get(id) ?? 0) > performance.now()) return;
    retryAt.delete(id);
    try {
      await work();
    } catch (error) {
      retryAt.set(id, performance.now() + retryMs);
      parts.onError?.(error);
    }
  };

  const poller = createPoller({ look, onError: (error) => parts.onError?.(error) });
  poller.poke();
  return {
    runs,
    poke: poller.poke,
    tidy: async () => {
      await store.db
        .deleteFrom("schedule_runs")
        .where("created_at", "<", ageNow() - keptMs)
        .where("state", "!=", "queued")
        .execute();
    },
    stop: async () => {
      isStopped = true;
      poller.stop();
      await poller.looking();
    },
  };
}
