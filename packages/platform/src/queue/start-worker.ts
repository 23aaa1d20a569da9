import { Logger as JobLogger, type Runner as JobRunner, type Logger, run } from "graphile-worker";
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

/** Does one kind of work. What it throws as a `Problem` reaches who asked. */
export type WorkHandler = (
  request: never,
  context: { tell(event: unknown): void; readonly signal: AbortSignal },
) => Promise<unknown>;

/** A process that does what others ask for. */
export interface Worker {
  /** Takes nothing new, and waits until everything under way is done. */
  drain(): Promise<void>;
}

// A notice of PostgreSQL's has at most 8,000 bytes.
const mostNoticeBytes = 7_000;

/** Starts doing the work of a queue. */
export async function startWorker(
  parts: QueueParts,
  handlers: Readonly<Record<string, WorkHandler>>,
  { concurrency }: { readonly concurrency: number },
): Promise<Worker> {
  const { store, secrets, processId } = parts;
  const pool = requirePool(store);
  const underWay = new Map<string, AbortController>();
  const notify = (asker: string, notice: WorkNotice): Promise<unknown> =>
    pool.query("select pg_notify($1, $2)", [channelOf(asker), JSON.stringify(notice)]);

  const work = async (id: string): Promise<void> => {
    const taken = await store.db
      .updateTable("remote_work")
      .set({ owner: processId })
      .where("id", "=", id)
      .where("owner", "is", null)
      .returning(["kind", "request", "asker"])
      .executeTakeFirst();
    // Nobody waits for it any more, or somebody else has begun.
    if (taken === undefined) return;
    const controller = new AbortController();
    underWay.set(id, controller);
    // One after the other: what was told first arrives first, and all of it before the end.
    let told: Promise<unknown> = Promise.resolve();
    try {
      const request = JSON.parse(secrets.open(taken.request, sealContext("request", id)));
      const result = await carryOut(handlers[taken.kind], request as never, {
        signal: controller.signal,
        tell: (event) => {
          const notice = { id, event };
          if (Buffer.byteLength(JSON.stringify(notice)) > mostNoticeBytes) return;
          told = told.then(() => notify(taken.asker, notice)).catch(() => undefined);
        },
      });
      const sealed = secrets.seal(JSON.stringify(result), sealContext("result", id));
      await store.db
        .updateTable("remote_work")
        .set({ result: sealed })
        .where("id", "=", id)
        .execute();
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
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    logger: quietLogger(),
    taskList: { [taskName]: (payload) => work((payload as { id: string }).id) },
  });
  return {
    drain: async () => {
      await jobs.stop();
      await channel.close();
    },
  };
}

async function carryOut(
  handler: WorkHandler | undefined,
  request: never,
  context: Parameters<WorkHandler>[1],
): Promise<WorkResult> {
  try {
    if (handler === undefined) throw new Problem(503, "This worker can't do that: it is older.");
    return { value: await handler(request, context) };
  } catch (error) {
    if (error instanceof Problem) {
      return { problem: { status: error.status, detail: error.message } };
    }
    return { problem: { status: 500, detail: "The worker failed unexpectedly." } };
  }
}

// Failures reach who asked, and the engine has nothing else to say.
function quietLogger(): Logger {
  return new JobLogger(() => () => undefined);
}
