import type { WorkProgress } from "./work-progress.ts";

/** A server that may still be loading a project. */
export interface BusyServer {
  readonly work: Pick<WorkProgress, "current">;
  /** Calls the listener for every message of the server, until the returned function is called. */
  followMessages(listener: () => void): () => void;
  /** How long it must send nothing, in milliseconds. */
  readonly quietMs: number;
}

/**
 * Waits until a server reports no work and has sent nothing for a while, at most twenty times as long.
 * Many servers answer before they have loaded a project, and say nothing of that.
 */
export function untilQuiet(
  { work, followMessages, quietMs }: BusyServer,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      unfollow();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const wait = (): NodeJS.Timeout =>
      setTimeout(() => {
        // The end of its work is a message, too.
        if (work.current() === undefined) finish();
      }, quietMs);
    let quiet = wait();
    const limit = setTimeout(finish, 20 * quietMs);
    const unfollow = followMessages(() => {
      clearTimeout(quiet);
      quiet = wait();
    });
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}
