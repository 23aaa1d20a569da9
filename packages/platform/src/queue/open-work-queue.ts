import { newId } from "../new-id.ts";
import { Problem } from "../problem.ts";
import { openChannel } from "./open-channel.ts";
import {
  cancelChannel,
  channelOf,
  type QueueParts,
  requirePool,
  sealContext,
  taskName,
  type WorkNotice,
  type WorkResult,
} from "./remote-work.ts";

/** Has workers do things. */
export interface WorkQueue {
  /**
   * Asks any worker for something and waits for what comes of it. Throws a `Problem`: whatever the
   * worker threw, 503 if nobody began in time or the worker died.
   */
  ask(work: WorkOrder): Promise<unknown>;
  close(): Promise<void>;
}

/** Something to be done. Everything in it is JSON. */
export interface WorkOrder {
  readonly kind: string;
  readonly request: unknown;
  /** Hears what the worker tells meanwhile. */
  onEvent?(event: unknown): void;
  readonly signal?: AbortSignal;
}

/** What a queue has to know of workers. */
export interface QueueOptions {
  /** Whether a process is still there. */
  isAlive(processId: string): Promise<boolean>;
  /** How long work may wait until somebody begins. */
  readonly patienceMs?: number;
  /** How often is looked for workers that died, and for notices that were missed. */
  readonly lookEveryMs?: number;
}

interface Waiting {
  readonly since: number;
  /** Whether it stands in the store: only then is it missing if it is not there. */
  isAsked: boolean;
  onEvent(event: unknown): void;
  settle(result: WorkResult): void;
}

/** Opens the asking side of the queue. */
export async function openWorkQueue(
  parts: QueueParts,
  { isAlive, patienceMs = 60_000, lookEveryMs = 2_000 }: QueueOptions,
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
  const open = (id: string, sealed: string): WorkResult =>
    JSON.parse(secrets.open(sealed, sealContext("result", id)));

  const collect = async (id: string): Promise<void> => {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    const { isAsked } = entry;
    const row = await read(id);
    if (row === undefined) {
      if (isAsked) entry.settle(gone("What was asked for is not known any more."));
    } else if (row.result !== null) {
      entry.settle(open(id, row.result));
    } else if (row.owner === null) {
      if (now() - entry.since > patienceMs && (await takeBack(id))) entry.settle(gone(nobody));
    } else if (!(await isAlive(row.owner))) {
      // It may have done this as the last thing before it ended.
      const result = (await read(id))?.result ?? null;
      const died = gone("The worker that did it died before it was done.");
      entry.settle(result === null ? died : open(id, result));
    }
  };
  /** Takes something back that nobody has begun; `false` if somebody was faster. */
  const takeBack = async (id: string): Promise<boolean> => {
    const { numDeletedRows } = await store.db
      .deleteFrom("remote_work")
      .where("id", "=", id)
      .where("owner", "is", null)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  };
  const look = (): void => {
    for (const id of waiting.keys()) void collect(id).catch(() => undefined);
  };
  const channel = await openChannel(pool, channelOf(processId), {
    heard: (payload) => {
      const notice = JSON.parse(payload) as WorkNotice;
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
      const entry: Waiting = { since: now(), isAsked: false, onEvent, settle: resolve };
      waiting.set(id, entry);
      const cancel = (): void => {
        void pool.query("select pg_notify($1, $2)", [cancelChannel, id]).catch(() => undefined);
      };
      try {
        await pool.query(
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
        throw new Problem(result.problem.status, result.problem.detail);
      } finally {
        signal?.removeEventListener("abort", cancel);
        waiting.delete(id);
        await store.db.deleteFrom("remote_work").where("id", "=", id).execute();
      }
    },
    close: async () => {
      clearInterval(timer);
      for (const { settle } of waiting.values()) settle(gone("This server was stopped."));
      await channel.close();
    },
  };
}

const nobody =
  "No worker has begun it. Start one with: haft serve --role worker --database postgres://…";

function gone(detail: string): WorkResult {
  return { problem: { status: 503, detail } };
}
