import type { Journal, Recording } from "@haft/core";

/**
 * Waits until the journal has recorded changes and everything else they need is ready. If something
 * fails, the journal learns that they will not happen.
 */
export async function whenRecorded(
  recorded: ReturnType<Journal["record"]>,
  others: readonly (Promise<unknown> | undefined)[],
): Promise<Recording | undefined> {
  const [journal, ...rest] = await Promise.allSettled([recorded, ...others] as const);
  if (journal.status === "rejected") throw journal.reason;
  const recording = journal.value;
  for (const other of rest) {
    if (other.status === "fulfilled") continue;
    recording?.dropped();
    throw other.reason;
  }
  return recording;
}
