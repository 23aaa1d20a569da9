import { isPlainObject } from "@haft/contract/internal";
import { Logger, runMigrations } from "graphile-worker";
import { newId } from "../new-id.ts";
import { Problem } from "../problem.ts";
import type { Store } from "../store/store.ts";
import { findStoreFailure } from "../store/store-failure.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import { openChannel } from "./open-channel.ts";
import {
  cancelChannel,
  channelOf,
  fromResultText,
  NotBegun,
  type QueueParts,
  requirePool,
  sealContext,
  taskName,
  type WorkNotice,
  type WorkResult,
} from "./remote-work.ts";

/** Sends work to workers. */
export interface WorkQueue {
  /**
   * Sends work to any worker and waits for the result. Throws the `Problem` that the
   * worker threw, or a 503 if no worker began in time or the worker died.
   */
  ask(work: WorkOrder): Promise<unknown>;
  close(): Promise<void>;
}

/** One piece of work. All of it is JSON. */
export interface WorkOrder {
  readonly kind: string;
  readonly request: unknown;
  /** Receives the worker's events. */
  onEvent?(event: unknown): void;
  readonly signal?: AbortSignal;
}

/** Options of a queue. */
export interface QueueOptions {
  /** Tells whether a process is alive. */
  isAlive(processId: string): Promise<boolean>;
  /** Throws a `Problem` if there is no worker. */
  requireWorkers?(): Promise<void>;
  /** How long work may wait until a worker begins. */
  readonly patienceMs?: number;
  /** Interval of the check for dead workers and missed notifications. */
  readonly lookEveryMs?: number;
}

interface Waiting {
  readonly since: number;
  /** Whether its row was stored. Only then a missing row means that the work is lost. */
  isAsked: boolean;
  onEvent(event: unknown): void;
  settle(result: WorkResult): void;
}

/** Opens the side of the queue that requests work. */
export async function openWorkQueue(
  parts: QueueParts,
  { isAlive, requireWorkers, patienceMs = 60_000, lookEveryMs = 2_000 }: QueueOptions,
): Promise<WorkQueue> {
  const { store, secrets, processId, now } = parts;
  const pool = requirePool(store);
  const waiting = new Map<string, Waiting>();

  const read = (id: string): Promise<{ result: string | null; owner: string | null } | undefined> =>
    store.db
      .selectFrom("remote_work")
      .select(["result", "owner"])
      .where("id", "=", id)
      .executeTakeFirst();
  const open = (id: string, text: string): WorkResult => fromResultText(text, id, secrets);

  const collect = async (id: string): Promise<void> => {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    const { isAsked } = entry;
    const row = await read(id);
    if (row === undefined) {
      if (isAsked && entry.isAsked)
        entry.settle(gone("The request was removed from the queue. Try again."));
    } else if (row.result !== null) {
      entry.settle(open(id, row.result));
    } else if (row.owner === null) {
      const isLate = performance.now() - entry.since > patienceMs;
      const missing = await requireWorkers?.().then(
        () => undefined,
        (error: unknown) => (error instanceof Problem ? error.message : undefined),
      );
      if (entry.isAsked && (isLate || missing !== undefined)) {
        // Until this ends, a concurrent check that finds no row must not report lost work.
        entry.isAsked = false;
        const isTakenBack = await takeBack(id).finally(() => {
          entry.isAsked = true;
        });
        if (isTakenBack) entry.settle(notBegun(missing ?? tooBusy));
      }
    } else if (!(await isAlive(row.owner))) {
      // The worker may have stored the result just before it ended.
      const result = (await read(id))?.result ?? null;
      const died = gone("The worker died before it finished. Try again.");
      entry.settle(result === null ? died : open(id, result));
    }
  };
  /** Removes work that no worker has begun. Returns `false` if a worker was faster. */
  const takeBack = async (id: string): Promise<boolean> => {
    const { numDeletedRows } = await store.db
      .deleteFrom("remote_work")
      .where("id", "=", id)
      .where("owner", "is", null)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  };
  // Failing to delete the row does not change the result. It is deleted later.
  const leftover = new Set<string>();
  const forget = (id: string): Promise<unknown> =>
    store.db
      .deleteFrom("remote_work")
      .where("id", "=", id)
      .execute()
      .then(
        () => leftover.delete(id),
        () => leftover.add(id),
      );
  const look = (): void => {
    for (const id of waiting.keys()) void collect(id).catch(() => undefined);
    for (const id of leftover) void forget(id);
  };
  /** Runs a raw query. Failures are reported as for Kysely's queries. */
  const query = async (text: string, values: readonly unknown[]): Promise<void> => {
    try {
      await pool.query(text, [...values]);
    } catch (error) {
      throw findStoreFailure(error) ?? error;
    }
  };
  const channel = await openChannel(pool, channelOf(processId), {
    heard: (payload) => {
      const notice = readStoredJsonOr<WorkNotice | null>(payload, null, isPlainObject);
      // Every user of the database can send notifications, so check them.
      if (notice === null) return;
      if ("ended" in notice) void collect(notice.id).catch(() => undefined);
      else waiting.get(notice.id)?.onEvent(notice.event);
    },
    resumed: look,
  });
  const timer = setInterval(look, lookEveryMs).unref();

  return {
    ask: async ({ kind, request, onEvent = () => undefined, signal }) => {
      const id = newId();
      const sealed = secrets.seal(JSON.stringify(request), sealContext("request", id));
      const { promise, resolve } = Promise.withResolvers<WorkResult>();
      const entry: Waiting = { since: performance.now(), isAsked: false, onEvent, settle: resolve };
      waiting.set(id, entry);
      const cancel = (): void => {
        void pool.query("select pg_notify($1, $2)", [cancelChannel, id]).catch(() => undefined);
      };
      try {
        await query(
          `with work as (
             insert into remote_work (id, kind, request, asker, created_at)
             values ($1, $2, $3, $4, $5) returning id)
           select graphile_worker.add_job($6, json_build_object('id', id), max_attempts := 1)
           from work`,
          [id, kind, sealed, processId, now(), taskName],
        );
        entry.isAsked = true;
        signal?.addEventListener("abort", cancel, { once: true });
        if (signal?.aborted) cancel();
        const result = await promise;
        if ("value" in result) return result.value;
        const { status, detail, hasNotBegun } = result.problem;
        throw new (hasNotBegun ? NotBegun : Problem)(status, detail);
      } finally {
        signal?.removeEventListener("abort", cancel);
        waiting.delete(id);
        await forget(id);
      }
    },
    close: async () => {
      clearInterval(timer);
      for (const [id, { settle }] of waiting) {
        const isTakenBack = await takeBack(id).catch(() => false);
        settle((isTakenBack ? notBegun : gone)(shuttingDown));
      }
      await channel.close();
    },
  };
}

const tooBusy =
  "All workers were busy, so nothing was started. Try again later, or ask the operator to start more workers.";

const shuttingDown = "The server is shutting down. Try again in a moment.";

function notBegun(detail: string): WorkResult {
  return { problem: { status: 503, detail, hasNotBegun: true } };
}

function gone(detail: string): WorkResult {
  return { problem: { status: 503, detail } };
}

/** Creates or migrates the job engine's tables in the store. */
export async function prepareQueue(store: Store): Promise<void> {
  await runMigrations({
    pgPool: requirePool(store),
    logger: new Logger(() => () => undefined),
  });
}
