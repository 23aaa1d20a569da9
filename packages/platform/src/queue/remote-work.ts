import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { Store } from "../store/store.ts";

/** The dependencies of both sides of the queue. */
export type QueueParts = Pick<PlatformParts, "store" | "secrets" | "processId" | "now">;

/** The result of work. */
export type WorkResult = { readonly value: unknown } | { readonly problem: WorkProblem };

/** Why work failed. */
export interface WorkProblem {
  readonly status: number;
  readonly detail: string;
  /** Present if no worker has begun it. */
  readonly hasNotBegun?: true;
}

/** The problem of work that no worker has begun. */
export class NotBegun extends Problem {}

/** A notification to the process that requested work. */
export type WorkNotice =
  | { readonly id: string; readonly ended: true }
  | { readonly id: string; readonly event: unknown };

/** The task name of our jobs in the job engine. Each job names a row of `remote_work`. */
export const taskName = "haft_remote_work";

/** Returns the channel on which a process is notified about the work it requested. */
export function channelOf(processId: string): string {
  return `haft_${processId}`;
}

/** The channel on which workers are notified about cancelled work. */
export const cancelChannel = "haft_cancel";

/** Returns the PostgreSQL connection pool. Throws if the store is not PostgreSQL. */
export function requirePool(store: Store): NonNullable<Store["pool"]> {
  if (store.pool !== undefined) return store.pool;
  throw new Problem(
    500,
    "Several processes can share work only with PostgreSQL. Start them with --database postgres://…",
  );
}

/** Parses a result. Only a problem may be unsealed: from a worker with a different master key. */
export function fromResultText(
  text: string,
  id: string,
  secrets: Pick<SecretBox, "open">,
): WorkResult {
  if (!text.startsWith(unsealedPrefix)) {
    return JSON.parse(secrets.open(text, sealContext("result", id))) as WorkResult;
  }
  const { status, detail } = JSON.parse(text.slice(unsealedPrefix.length)) as WorkProblem;
  return { problem: { status, detail } };
}

/** Serialises a problem that contains no secret. */
export function toUnsealedProblem(problem: WorkProblem): string {
  return unsealedPrefix + JSON.stringify(problem);
}

const unsealedPrefix = "problem:";

/** Returns the context that binds a sealed text to its row. */
export function sealContext(part: "request" | "result", id: string): readonly string[] {
  return ["remote-work", part, id];
}

/**
 * Deletes the work that dead processes had asked for. Run this before their invocations are recorded
 * as failed, so that no worker begins an invocation that already counts as failed.
 */
export async function forgetAskedWork(
  parts: Pick<PlatformParts, "store" | "processId" | "now">,
): Promise<void> {
  const { db, kind } = parts.store;
  if (kind !== "postgres") return;
  const askers = await db.selectFrom("remote_work").select("asker").distinct().execute();
  for (const { asker } of askers) {
    if (await isAlive(parts, asker)) continue;
    await db.deleteFrom("remote_work").where("asker", "=", asker).execute();
  }
}
