/**
 * Returns a function that resolves one waiting caller per turn of the event loop. Other work runs in
 * between, so that many subagents at once don't block their parent.
 */
export function createPace(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const serve = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(serve);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(serve);
    });
}
