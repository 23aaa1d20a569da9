// Small files are read with synchronous calls because they cost a fraction of asynchronous ones. So
// that many of them in a row do not hold up everything else, they share this much of each turn of
// the event loop.
const budgetMs = 2;

let turnIsTimed = false;
let turnStartedAt = 0;

/** Returns at once while this turn of the event loop has time left, else in a later turn. */
export function enterTurn(): Promise<void> | undefined {
  return isTurnSpent() ? waitForTurn() : undefined;
}

/** Tells whether the synchronous work of this turn has used up its time. */
export function isTurnSpent(): boolean {
  const now = performance.now();
  if (turnIsTimed) return now - turnStartedAt > budgetMs;
  turnIsTimed = true;
  turnStartedAt = now;
  setImmediate(() => {
    turnIsTimed = false;
  });
  return false;
}

async function waitForTurn(): Promise<void> {
  do {
    await new Promise((resolve) => setImmediate(resolve));
    // Others who waited may have used up this turn already.
  } while (isTurnSpent());
}
