import { Agent, type ClientRequestArgs, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { type ConnectOptions, openConnection } from "./open-connection.ts";
import { toRequestArguments, untilAnswer, type WebRequest } from "./send-request.ts";
import type { WebUrl } from "./web-url.ts";

/** Sends requests and keeps their connections open briefly for the next ones. */
export interface ConnectionPool {
  /** Resolves when the headers are there. The connection is in use until the body was read. */
  send(request: WebRequest, connect: ConnectOptions): Promise<IncomingMessage>;
}

// Most servers close connections that are idle for five seconds.
const idleMs = 4_000;
const maxIdle = 4;
const repeatable = new Set(["GET", "HEAD"]);

/** Creates an empty pool. */
export function createConnectionPool(): ConnectionPool {
  const agent = new GuardedAgent({ keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdle });
  return {
    send: async (asked, connect) => {
      for (;;) {
        const attempt = sendOnce(asked, connect, agent);
        try {
          return await attempt.answer;
        } catch (error) {
          // Most likely it was closed while idle. A request that changes something is still not sent
          // again: the server may have processed it.
          const mayRepeat = repeatable.has(asked.method) && attempt.isReused();
          if (!mayRepeat || connect.signal.aborted || !isBrokenOff(error)) throw error;
        }
      }
    },
  };
}

interface Attempt {
  readonly answer: Promise<IncomingMessage>;
  /** Whether the request went over a connection that an earlier one had opened. */
  isReused(): boolean;
}

function sendOnce(asked: WebRequest, connect: ConnectOptions, agent: Agent): Attempt {
  const { target, body } = asked;
  const { signal } = connect;
  const options: GuardedArguments = {
    ...toRequestArguments(asked),
    agent,
    host: target.host,
    port: target.port,
    target,
    connect,
  };
  const outgoing = request(options);
  const end = (): void => {
    outgoing.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  outgoing.once("close", () => signal.removeEventListener("abort", end));
  const answer = untilAnswer(outgoing);
  if (signal.aborted) end();
  outgoing.end(body);
  return { answer, isReused: () => outgoing.reusedSocket };
}

function isBrokenOff(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE"].includes((error as NodeJS.ErrnoException).code ?? "");
}

interface GuardedArguments extends ClientRequestArgs {
  readonly target: WebUrl;
  readonly connect: ConnectOptions;
}

/** Connects to checked addresses only. */
class GuardedAgent extends Agent {
  override createConnection(
    options: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { target, connect } = options as GuardedArguments;
    openConnection(target, connect).then(
      (socket) => {
        // A connection that the server closed while idle must not be used again.
        socket.allowHalfOpen = false;
        done?.(null, socket);
      },
      (error: Error) => done?.(error, undefined as never),
    );
  }

  override getName(options: ClientRequestArgs = {}): string {
    const { target } = options as GuardedArguments;
    return target.url.origin;
  }
}
