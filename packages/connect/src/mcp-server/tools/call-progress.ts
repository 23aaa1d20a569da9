import type { Cleanup, Progress } from "@haft/contract";
import type { Session } from "@haft/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Sends a call's progress to the client. */
export interface CallProgress {
  /** Reports until the work ends. All of it is sent before this resolves. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

// A client that reads progress and result together handles the result first and ignores the progress.
const beforeResultMs = 10;
// Reports that follow within this time are joined.
const minGapMs = 20;
const maxMessageLength = 2_000;
// Clients give up on a call that is silent for longer than their timeout.
const maxSilenceMs = 3_000;

/**
 * Sends progress in ever increasing steps, and every few seconds of a call that reports nothing. Returns
 * `undefined` if the client did not ask for it.
 */
export function reportProgress(
  session: Session,
  callId: string,
  { _meta, notify }: ServerContext["mcpReq"],
): CallProgress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let step = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  let waiting: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;

  const send = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === undefined) return;
    const { done, total, message } = waiting;
    waiting = undefined;
    step = done !== undefined && done > step ? done : step + 1;
    sentAt = performance.now();
    const params = {
      progressToken,
      progress: step,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    // Failing to notify a disconnected client is fine; its call is stopped elsewhere.
    await notify({ method: "notifications/progress", params }).catch(() => {});
  };
  const report = (progress: Progress): void => {
    waiting = waiting === undefined ? progress : join(waiting, progress);
    const gap = sentAt + minGapMs - performance.now();
    if (gap <= 0) void send();
    else timer ??= setTimeout(() => void send(), gap);
  };
  const stop: Cleanup = session.on("tool:progress", (event) => {
    if (event.callId === callId) report(event.progress);
  });
  const startedAt = performance.now();
  const heartbeat = setInterval(() => {
    if (performance.now() - sentAt < maxSilenceMs) return;
    report({ message: `running for ${Math.round((performance.now() - startedAt) / 1000)} s` });
  }, maxSilenceMs);

  const end = async (): Promise<void> => {
    clearInterval(heartbeat);
    await stop();
    await send();
    const wait = sentAt + beforeResultMs - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  };
  return {
    during: async (work) => {
      try {
        return await work();
      } finally {
        await end();
      }
    },
  };
}

function join(earlier: Progress, later: Progress): Progress {
  const messages = [earlier.message, later.message].filter((one) => one !== undefined);
  const message = messages.join("\n").slice(-maxMessageLength);
  return { ...earlier, ...later, ...(messages.length > 0 && { message }) };
}
