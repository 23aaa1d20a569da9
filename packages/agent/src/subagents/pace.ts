/**
 * Lets those who wait go on one by one, and whoever does not wait goes between them. Many children at once
 * then don't make their parent wait for all of them.
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
