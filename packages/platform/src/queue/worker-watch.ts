import { isResponding } from "../history/heartbeat.ts";
import { Problem } from "../problem.ts";
import type { QueueParts } from "./remote-work.ts";

/** Checks whether workers are running. */
export interface WorkerWatch {
  /** Throws a `Problem` 503 if no worker is running. The finding is cached for a moment. */
  require(): Promise<void>;
}

const freshMs = 1_000;

/** Creates the check for the workers of a store. */
export function createWorkerWatch(parts: QueueParts): WorkerWatch {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> = Promise.resolve(false);
  const hasWorker = async (): Promise<boolean> => {
    const rows = await parts.store.db
      .selectFrom("processes")
      .selectAll()
      .where("role", "=", "worker")
      .execute();
    return rows.some((row) => isResponding(parts, row));
  };
  return {
    require: async () => {
      if (performance.now() - askedAt > freshMs) {
        askedAt = performance.now();
        asking = hasWorker();
      }
      if (!(await asking)) throw noWorker();
    },
  };
}

/** The problem that callers get when no worker is running. */
function noWorker(): Problem {
  return new Problem(
    503,
    "No worker is running, so nothing was started. Ask the operator to start one: haft serve --role worker --database postgres://…",
    { "retry-after": "5" },
  );
}
