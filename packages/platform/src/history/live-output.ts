import type { PlatformParts } from "../platform-parts.ts";
import type { OnPrint } from "../runner/printed-output.ts";

/** Options for the output of running invocations. */
export interface LiveOutputOptions {
  /** Time between two writes of an invocation's output, in milliseconds. Default: 1000. */
  readonly intervalMs?: number;
}

/**
 * Creates a listener of a runner that stores what invocations print while they run, so that every
 * process can show it, and so that it is kept if this process dies.
 */
export function createLiveOutput(
  { store }: Pick<PlatformParts, "store">,
  { intervalMs = 1000 }: LiveOutputOptions = {},
): OnPrint {
  const printing = new Map<string, { readonly read: Parameters<OnPrint>[1]; written: string }>();
  let isScheduled = false;

  const write = async (): Promise<void> => {
    for (const [id, output] of printing) {
      const now = output.read();
      if (now === undefined) printing.delete(id);
      const printed = JSON.stringify(now);
      if (now === undefined || output.written === printed) continue;
      const { numUpdatedRows } = await store.db
        .updateTable("running_invocations")
        .set({ printed })
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      // A short invocation has no row yet.
      if (numUpdatedRows > 0n) output.written = printed;
    }
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(async () => {
      // The output is recorded when the invocation ends, so a failure here is not reported.
      await write().catch(() => undefined);
      isScheduled = false;
      if (printing.size > 0) schedule();
    }, intervalMs).unref();
  };
  return (invocationId, read) => {
    printing.set(invocationId, { read, written: "" });
    schedule();
  };
}
