import { type RuntimeSession, ToolError } from "@haft/contract";

const stateKey = "web_search.calls";

/** Counts a search of the session. Throws `quota` if the session has used all of its searches. */
export async function countCall({ state }: RuntimeSession, maxCalls: number): Promise<void> {
  // Searches may run in parallel; each must see the count of the one before.
  const previous = counting.get(state) ?? Promise.resolve();
  const counted = previous.then(async () => {
    const stored = await state.get(stateKey);
    const calls = typeof stored === "number" && stored > 0 ? stored : 0;
    if (calls >= maxCalls) throw usedUp(maxCalls);
    await state.set(stateKey, calls + 1);
  });
  counting.set(
    state,
    counted.catch(() => {}),
  );
  await counted;
}

const counting = new WeakMap<RuntimeSession["state"], Promise<void>>();

function usedUp(maxCalls: number): ToolError {
  return new ToolError(
    "quota",
    `This session has used all of its ${maxCalls} searches. Continue with the results so far.`,
    { remedy: "Read pages with `web_fetch`." },
  );
}
