import { type RuntimeSession, ToolError } from "@haft/contract";

const stateKey = "web_search.calls";

/** Counts a search of the session; throws `quota` when it has had as many as it may. */
export async function countCall({ state }: RuntimeSession, most: number): Promise<void> {
  // Searches may run side by side; each must see the count of the one before.
  const previous = counting.get(state) ?? Promise.resolve();
  const counted = previous.then(async () => {
    const stored = await state.get(stateKey);
    const calls = typeof stored === "number" && stored > 0 ? stored : 0;
    if (calls >= most) throw usedUp(most);
    await state.set(stateKey, calls + 1);
  });
  counting.set(
    state,
    counted.catch(() => {}),
  );
  await counted;
}

const counting = new WeakMap<RuntimeSession["state"], Promise<void>>();

function usedUp(most: number): ToolError {
  return new ToolError(
    "quota",
    `This session has made all of its ${most} searches. Go on with what was found, or read pages with web_fetch.`,
  );
}
