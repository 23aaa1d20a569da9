import type { Cleanup, Progress } from "@haft/contract";
import type { Session } from "@haft/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Sends a call's progress to the client. */
export interface CallProgress {
  /** Must be awaited before the result is sent. */
  end(): Promise<void>;
}

// A client that reads progress and result together handles the result first and ignores the progress.
const beforeResultMs = 10;
// Reports that follow within this time are joined.
const minGapMs = 20;
const maxMessageLength = 2_000;

/** Sends progress in ever increasing steps. Returns `undefined` if the client did not ask for it. */
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

  return {
    end: async () => {
      await stop();
      await send();
      const wait = sentAt + beforeResultMs - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    },
  };
}

function join(earlier: Progress, later: Progress): Progress {
  const messages = [earlier.message, later.message].filter((one) => one !== undefined);
  const message = messages.join("\n").slice(-maxMessageLength);
  return { ...earlier, ...later, ...(messages.length > 0 && { message }) };
}
