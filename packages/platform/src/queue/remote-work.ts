import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Store } from "../store/store.ts";

/** What the sides of the queue are made with. */
export type QueueParts = Pick<PlatformParts, "store" | "secrets" | "processId" | "now">;

/** How work ended. */
export type WorkResult =
  | { readonly value: unknown }
  | { readonly problem: { readonly status: number; readonly detail: string } };

/** What is told about work on the asker's channel. */
export type WorkNotice =
  | { readonly id: string; readonly ended: true }
  | { readonly id: string; readonly event: unknown };

/** The job engine's name for our jobs: each names a row of `remote_work`. */
export const taskName = "haft_remote_work";

/** The channel on which a process hears of the work that it asked for. */
export function channelOf(processId: string): string {
  return `haft_${processId}`;
}

/** The channel on which workers hear of work that nobody wants any more. */
export const cancelChannel = "haft_cancel";

/** The connections to PostgreSQL, without which there is no queue. */
export function requirePool(store: Store): NonNullable<Store["pool"]> {
  if (store.pool !== undefined) return store.pool;
  throw new Problem(
    500,
    "Several processes share work over PostgreSQL only: start them with --database postgres://…",
  );
}

/** What binds a sealed text to its row. */
export function sealContext(part: "request" | "result", id: string): readonly string[] {
  return ["remote-work", part, id];
}
