import type { DiskComputer } from "@haft/computer";
import { ToolError } from "@haft/contract";
import type { Clock, Timer } from "@haft/core";
import { type LanguageClient, openLanguageClient, ServerEnded } from "./client/language-client.ts";
import { type ServerProcess, startServerProcess } from "./client/server-process.ts";
import type { FoundServer } from "./find/find-server.ts";
import { remedy } from "./remedy.ts";

/** Time limits in milliseconds. */
export interface ServerLimits {
  /** Until a server must be ready. Default: 60,000. */
  readonly startMs: number;
  /** Until an idle server is stopped. Default: 600,000. */
  readonly idleMs: number;
  /** Delay before a crashed server is restarted. Default: 500. */
  readonly pauseMs: number;
  /** How long a server must send nothing to count as quiet. Default: 500. */
  readonly quietMs: number;
}

/** What starting a server needs. */
export interface SlotContext {
  readonly computer: Pick<DiskComputer, "startProgram">;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly searchPath: string | undefined;
}

/** A server that is started when it is used. */
export interface ServerSlot {
  readonly isRunning: boolean;
  readonly isBusy: boolean;
  /** Runs a function with the server, and again with a new one if it ends in the meantime. */
  use<T>(request: SlotRequest<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** A request for a server. */
export interface SlotRequest<T> {
  readonly found: FoundServer;
  work(client: LanguageClient): Promise<T>;
}

interface RunningServer {
  readonly client: LanguageClient;
  readonly process: ServerProcess;
  readonly stamp: string;
}

// How long a server that crashed twice is not restarted.
const restMs = 5 * 60_000;

/** Creates a slot for a server. Nothing is started yet. */
export function createServerSlot(context: SlotContext): ServerSlot {
  const { computer, clock, limits, searchPath } = context;
  let starting: Promise<RunningServer> | undefined;
  let closing = new AbortController();
  let running: RunningServer | undefined;
  let failures: { readonly at: number; readonly how: string }[] = [];
  let users = 0;
  let idle: Timer | undefined;

  const start = async (found: FoundServer): Promise<RunningServer> => {
    const closed = closing.signal;
    const process = await startServerProcess(computer, found, searchPath);
    process.keepAlive(true);
    const limit = AbortSignal.timeout(limits.startMs);
    void process.ended.then((how) => {
      if (running?.process === process) running = undefined;
      if (!process.isToEnd) failures.push({ at: clock.monotonic(), how });
    });
    try {
      const server = { process, quietMs: limits.quietMs };
      const client = await openLanguageClient(server, found, AbortSignal.any([limit, closed]));
      running = { client, process, stamp: found.stamp };
      // All callers may have gone in the meantime.
      process.keepAlive(users > 0);
      return running;
    } catch (error) {
      await process.stop();
      if (!limit.aborted || closed.aborted) throw error;
      const how = `It was not ready within ${limits.startMs} ms.`;
      failures = [1, 2].map(() => ({ at: clock.monotonic(), how }));
      throw toUnavailable(found, how);
    }
  };

  const acquire = async (found: FoundServer, signal: AbortSignal): Promise<RunningServer> => {
    if (running !== undefined && running.stamp !== found.stamp && users === 1) await stop();
    if (running?.process.isRunning) return running;
    if (starting === undefined) {
      const now = clock.monotonic();
      failures = failures.filter(({ at }) => now - at < restMs);
      const last = failures.at(-1);
      if (last !== undefined && failures.length > 1) throw toUnavailable(found, last.how);
      if (last !== undefined) await pause(limits.pauseMs, { clock, signal });
    }
    starting ??= start(found).finally(() => {
      starting = undefined;
    });
    return untilAborted(starting, signal);
  };

  const stop = async (): Promise<void> => {
    idle?.cancel();
    const server = running;
    running = undefined;
    await server?.client.close();
  };

  return {
    get isRunning() {
      return running !== undefined;
    },
    get isBusy() {
      return users > 0;
    },
    use: async ({ found, work }, signal) => {
      users++;
      idle?.cancel();
      const closed = closing.signal;
      try {
        for (;;) {
          try {
            const { client, process } = await acquire(found, signal);
            process.keepAlive(true);
            return await work(client);
          } catch (error) {
            // Starting the server limits how often this can happen.
            if (!(error instanceof ServerEnded)) throw error;
            if (closed.aborted) {
              throw new ToolError("cancelled", "The language servers were closed in the meantime.");
            }
          }
        }
      } finally {
        users--;
        if (users === 0) {
          running?.process.keepAlive(false);
          idle = clock.after(limits.idleMs, () => void stop());
          idle.hold(false);
        }
      }
    },
    close: async () => {
      closing.abort();
      closing = new AbortController();
      await starting?.catch(() => {});
      await stop();
    },
  };
}

function toUnavailable({ program, language, root }: FoundServer, how: string): ToolError {
  return new ToolError(
    "unavailable",
    `The language server for ${language.name} does not work in ${root} (${program.path}). ${how} Fix the problem and try again in a few minutes.`,
    { remedy },
  );
}

function pause(
  milliseconds: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const waiting = new Promise<void>((resolve) => {
    clock.after(milliseconds, resolve);
  });
  return untilAborted(waiting, signal);
}

function untilAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void =>
      reject(new ToolError("cancelled", "The call was aborted while the language server started."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
