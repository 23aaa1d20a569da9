import { setTimeout as wait } from "node:timers/promises";
import { Logger as JobLogger, type Runner as JobRunner, type Logger, run } from "graphile-worker";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../problem.ts";
import { findStoreFailure } from "../store/store-failure.ts";
import { openChannel } from "./open-channel.ts";
import {
  cancelChannel,
  channelOf,
  type QueueParts,
  requirePool,
  sealContext,
  taskName,
  toUnsealedProblem,
  type WorkNotice,
  type WorkResult,
} from "./remote-work.ts";

/** Handles one kind of work. A `Problem` that it throws is returned to the requester. */
export type WorkHandler = (
  request: never,
  context: { tell(event: unknown): void; readonly signal: AbortSignal },
) => Promise<unknown>;

/** A process that handles work of other processes. */
export interface Worker {
  /** Takes no new work and waits for running work to finish. */
  drain(): Promise<void>;
}

// A PostgreSQL notification has at most 8,000 bytes.
const maxNoticeBytes = 7_000;
const retryMs = 500;

const otherKey = {
  status: 503,
  detail:
    "The worker can't decrypt the request, because its master key differs from the server's. Start both with the same HAFT_MASTER_KEY.",
};

/** Starts handling the work of a queue. */
export async function startWorker(
  parts: QueueParts,
  handlers: Readonly<Record<string, WorkHandler>>,
  { concurrency }: { readonly concurrency: number },
): Promise<Worker> {
  const { store, secrets, processId } = parts;
  const pool = requirePool(store);
  const underWay = new Map<string, AbortController>();
  let isDraining = false;
  const notify = (asker: string, notice: WorkNotice): Promise<unknown> =>
    pool.query("select pg_notify($1, $2)", [channelOf(asker), JSON.stringify(notice)]);

  const openRequest = (sealed: string, id: string): unknown => {
    try {
      return JSON.parse(secrets.open(sealed, sealContext("request", id)));
    } catch {
      return undefined;
    }
  };
  /** The work is done, so storing its result is retried until the database accepts it. */
  const keepResult = async (id: string, result: string): Promise<void> => {
    for (;;) {
      try {
        await store.db.updateTable("remote_work").set({ result }).where("id", "=", id).execute();
        return;
      } catch (error) {
        if (findStoreFailure(error) === undefined || isDraining) throw error;
        await wait(retryMs, undefined, { ref: false });
      }
    }
  };

  const work = async (id: string): Promise<void> => {
    const taken = await store.db
      .updateTable("remote_work")
      .set({ owner: processId })
      .where("id", "=", id)
      .where("owner", "is", null)
      .returning(["kind", "request", "asker"])
      .executeTakeFirst();
    // The work was cancelled, or another worker has begun it.
    if (taken === undefined) return;
    const controller = new AbortController();
    underWay.set(id, controller);
    // Sent one after the other, so that events arrive in order and before the end.
    let told: Promise<unknown> = Promise.resolve();
    try {
      const request = openRequest(taken.request, id);
      if (request === undefined) {
        await keepResult(id, toUnsealedProblem(otherKey));
        await notify(taken.asker, { id, ended: true });
        return;
      }
      const result = await carryOut(handlers[taken.kind], request as never, {
        signal: controller.signal,
        tell: (event) => {
          const notice = { id, event };
          if (Buffer.byteLength(JSON.stringify(notice)) > maxNoticeBytes) return;
          told = told.then(() => notify(taken.asker, notice)).catch(() => undefined);
        },
      });
      const sealed = secrets.seal(JSON.stringify(result), sealContext("result", id));
      await keepResult(id, sealed);
      await told;
      await notify(taken.asker, { id, ended: true });
    } finally {
      underWay.delete(id);
    }
  };

  const channel = await openChannel(pool, cancelChannel, {
    heard: (id) => underWay.get(id)?.abort(),
    resumed: () => undefined,
  });
  const jobs: JobRunner = await run({
    pgPool: retryingPool(pool),
    concurrency,
    noHandleSignals: true,
    logger: quietLogger(),
    taskList: { [taskName]: (payload) => work((payload as { id: string }).id) },
  });
  return {
    drain: async () => {
      isDraining = true;
      await jobs.stop();
      await channel.close();
    },
  };
}

/**
 * Returns a view of a pool on which graphile-worker tries again whatever failed because of the database
 * itself. It knows such failures by their codes, and many have none. It does not wait for the query that
 * removes an ended job, so a failure of that query would end this process.
 */
function retryingPool(pool: Pool): Pool {
  const connect = async (
    listen?: Parameters<Pool["connect"]>[0],
  ): Promise<PoolClient | undefined> => {
    if (listen !== undefined) {
      // It reconnects by itself where it listens for jobs.
      pool.connect(listen);
      return undefined;
    }
    // The worker has stopped. What it left unfinished waits for the next one.
    if (pool.ending) return new Promise(() => {});
    const client = await pool.connect().catch(markRetryable);
    return view(client, "query", (...args: Parameters<PoolClient["query"]>) =>
      (client.query(...args) as unknown as Promise<unknown>).catch(markRetryable),
    );
  };
  return view(pool, "connect", connect);
}

/** Returns an object that has another method of one name, and is otherwise the same. */
function view<Target extends object>(target: Target, method: string, other: unknown): Target {
  return new Proxy(target, {
    get: (_, name) => {
      if (name === method) return other;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function markRetryable(error: unknown): never {
  if (findStoreFailure(error) !== undefined) Object.assign(error as Error, { code: "ETIMEDOUT" });
  throw error;
}

async function carryOut(
  handler: WorkHandler | undefined,
  request: never,
  context: Parameters<WorkHandler>[1],
): Promise<WorkResult> {
  try {
    if (handler === undefined)
      throw new Problem(503, "This worker is too old for this request. Update the worker.");
    return { value: await handler(request, context) };
  } catch (error) {
    if (error instanceof Problem) {
      return { problem: { status: error.status, detail: error.message } };
    }
    return { problem: { status: 500, detail: "The worker failed unexpectedly. See its log." } };
  }
}

// Failures are returned to the requester. Nothing else of the engine's log matters.
function quietLogger(): Logger {
  return new JobLogger(() => () => undefined);
}
