import { setTimeout } from "node:timers/promises";
import type { AskEnd } from "./ask-model.ts";

/** Why a request failed, for the user. */
export interface ModelFailure {
  readonly message: string;
  /** The status code of the answer, or the kind of failure. */
  readonly type?: string | undefined;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly isContextTooLong?: boolean | undefined;
}

/** How to retry a request. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Maximum number of retries. */
  readonly retries: number;
  describe(error: unknown): Promise<ModelFailure>;
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Called before each wait. */
  onRetry(attempt: number, delayMs: number, reason: string): void;
  /** Shortens the request. Returns whether there was anything to drop. */
  shrink(): Promise<boolean>;
}

type Asked = Exclude<AskEnd, { readonly type: "broken-off" }>;

/** A request that was answered or aborted, or the error of the last attempt. */
export type RetryEnd = Asked | { readonly type: "failed"; readonly failure: ModelFailure };

const brokenOff: ModelFailure = {
  message: "The connection to the model was lost before the answer was complete. Try again.",
  type: "incomplete",
  isRetryable: true,
};

// If the context size is unknown, the request may have to be shortened repeatedly.
const maxShrinks = 3;

/** Repeats a request until it is answered, as long as a retry can help. */
export async function askWithRetries(
  ask: () => Promise<AskEnd>,
  options: RetryOptions,
): Promise<RetryEnd> {
  const { signal, wait = waitFor } = options;
  let attempt = 0;
  let shrinks = 0;
  for (;;) {
    const end = await tryToAsk(ask, options);
    if (end.type !== "failed") return end;
    const { failure } = end;
    if (failure.isContextTooLong === true) {
      if (shrinks++ >= maxShrinks || !(await options.shrink())) return end;
      continue;
    }
    if (!failure.isRetryable || attempt >= options.retries) return end;
    attempt++;
    const delay = retryDelay(attempt, failure.retryAfterMs);
    options.onRetry(attempt, delay, failure.message);
    await wait(delay, signal).catch(() => undefined);
    if (signal.aborted) return { type: "aborted", text: "" };
  }
}

async function tryToAsk(ask: () => Promise<AskEnd>, { describe }: RetryOptions): Promise<RetryEnd> {
  try {
    const end = await ask();
    if (end.type !== "broken-off") return end;
    if (end.error === undefined) return { type: "failed", failure: brokenOff };
    // A provider that began to answer accepted the request, so any error is worth a retry.
    return { type: "failed", failure: { ...(await describe(end.error)), isRetryable: true } };
  } catch (error) {
    return { type: "failed", failure: await describe(error) };
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}

const firstDelay = 500;
const maxDelay = 30_000;
const maxWished = 60_000;

/**
 * Returns how long to wait before a retry, in milliseconds: as long as the provider asks, otherwise
 * twice as long each time, with random jitter so that many clients don't return at once.
 */
export function retryDelay(
  attempt: number,
  wished: number | undefined,
  random: () => number = Math.random,
): number {
  if (wished !== undefined) return Math.min(Math.max(0, wished), maxWished);
  const delay = Math.min(firstDelay * 2 ** (attempt - 1), maxDelay);
  return Math.round(delay * (0.5 + random() / 2));
}
