import type { Cleanup, Progress } from "@haft/contract";
import type { Session } from "@haft/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Passes a call's progress on to the client. */
export interface CallProgress {
  /** To be awaited before the result goes out. */
  end(): Promise<void>;
}

// A client that reads both at once settles the call first, and its progress no longer counts.
const beforeResultMs = 10;
// What comes closer together than this travels together.
const leastGapMs = 20;
const longestMessage = 2_000;

/** Sends what a call reports, in steps that always increase; `undefined` if the client wants none. */
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
    // A client that is gone is told nothing; its call is stopped by other means.
    await notify({ method: "notifications/progress", params }).catch(() => {});
  };
  const report = (progress: Progress): void => {
    waiting = waiting === undefined ? progress : join(waiting, progress);
    const gap = sentAt + leastGapMs - performance.now();
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
  const message = messages.join("\n").slice(-longestMessage);
  return { ...earlier, ...later, ...(messages.length > 0 && { message }) };
}
