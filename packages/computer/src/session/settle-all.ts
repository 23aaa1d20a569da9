/** Waits for all, whatever becomes of them, and then fails with the first that did. */
export async function settleAll(work: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}
