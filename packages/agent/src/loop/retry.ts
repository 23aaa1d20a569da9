import { setTimeout } from "node:timers/promises";
import type { AskEnd } from "./ask-model.ts";
import { retryDelay } from "./retry-delay.ts";

/** What went wrong with a request, in words for a person. */
export interface ModelFailure {
  readonly message: string;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly isContextTooLong?: boolean | undefined;
}

/** How a request is made again. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  /** How often at most. */
  readonly retries: number;
  describe(error: unknown): Promise<ModelFailure>;
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Is told before each wait. */
  onRetry(attempt: number, delayMs: number, reason: string): void;
  /** Sends less from here on; whether there was anything to leave out. */
  shrink(): Promise<boolean>;
}

type Asked = Exclude<AskEnd, { readonly type: "broken-off" }>;

/** A request that was answered or stopped, or whatever kept it from that in the end. */
export type RetryEnd = Asked | { readonly type: "failed"; readonly failure: ModelFailure };

const brokenOff: ModelFailure = {
  message: "The connection to the model broke off before the answer had ended. Try again.",
  isRetryable: true,
};

// A model whose room is not known may have to be asked with less and less.
const mostShrinks = 3;

/** Makes a request until it is answered, as long as trying again can help. */
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
      if (shrinks++ >= mostShrinks || !(await options.shrink())) return end;
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
    // Whoever began to answer would have answered: it is worth another try, whatever it says.
    return { type: "failed", failure: { ...(await describe(end.error)), isRetryable: true } };
  } catch (error) {
    return { type: "failed", failure: await describe(error) };
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}
