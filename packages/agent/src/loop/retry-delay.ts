const firstDelay = 500;
const longestDelay = 30_000;
const longestWished = 60_000;

/**
 * How long to wait before a request is made again, in milliseconds: as long as the provider wishes, else
 * twice as long each time, with some chance in it so that many do not come back at once.
 */
export function retryDelay(
  attempt: number,
  wished: number | undefined,
  random: () => number = Math.random,
): number {
  if (wished !== undefined) return Math.min(Math.max(0, wished), longestWished);
  const delay = Math.min(firstDelay * 2 ** (attempt - 1), longestDelay);
  return Math.round(delay * (0.5 + random() / 2));
}
