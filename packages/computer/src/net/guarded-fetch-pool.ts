import { Agent, type ClientRequestArgs, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { type Journey, openConnection } from "./open-connection.ts";
import type { WebRequest } from "./send-request.ts";
import type { WebUrl } from "./web-url.ts";

/** Sends requests, and keeps their connections for the next ones for a moment. */
export interface ConnectionPool {
  /** The body of the answer is still to come; until it was read the connection is the answer's. */
  send(request: WebRequest, journey: Journey): Promise<IncomingMessage>;
}

// Most servers close what is idle for five seconds.
const idleMs = 4_000;
const mostIdle = 4;
const mostHeaderBytes = 32 * 1024;
const repeatable = new Set(["GET", "HEAD"]);

/** Makes a pool, of which nothing is open yet. */
export function createConnectionPool(): ConnectionPool {
  const agent = new GuardedAgent({ keepAlive: true, timeout: idleMs, maxFreeSockets: mostIdle });
  return {
    send: async (asked, journey) => {
      for (;;) {
        const attempt = sendOnce(asked, journey, agent);
        try {
          return await attempt.answer;
        } catch (error) {
          // Most likely it was closed while nobody used it. What changes something is not sent
          // again all the same: the server may have taken it.
          const mayRepeat = repeatable.has(asked.method) && attempt.isReused();
          if (!mayRepeat || journey.signal.aborted || !isBrokenOff(error)) throw error;
        }
      }
    },
  };
}

interface Attempt {
  readonly answer: Promise<IncomingMessage>;
  /** Whether it went over a connection that another request had opened. */
  isReused(): boolean;
}

function sendOnce(
  { target, method, headers, body }: WebRequest,
  journey: Journey,
  agent: Agent,
): Attempt {
  const { signal } = journey;
  const options: GuardedArguments = {
    agent,
    host: target.host,
    port: target.port,
    method,
    path: `${target.url.pathname}${target.url.search}`,
    headers: { "user-agent": "Haft", accept: "*/*", ...headers, host: target.authority },
    setHost: false,
    maxHeaderSize: mostHeaderBytes,
    target,
    journey,
  };
  const outgoing = request(options);
  const end = (): void => {
    outgoing.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  outgoing.once("close", () => signal.removeEventListener("abort", end));
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).on("error", reject);
    // A server that would rather speak something else was not asked to.
    outgoing.once("upgrade", () => {
      outgoing.destroy();
      reject(new Error("The server changed the protocol."));
    });
  });
  if (signal.aborted) end();
  outgoing.end(body);
  return { answer, isReused: () => outgoing.reusedSocket };
}

function isBrokenOff(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE"].includes((error as NodeJS.ErrnoException).code ?? "");
}

interface GuardedArguments extends ClientRequestArgs {
  readonly target: WebUrl;
  readonly journey: Journey;
}

/** Connects to addresses that were checked only. */
class GuardedAgent extends Agent {
  override createConnection(
    options: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { target, journey } = options as GuardedArguments;
    openConnection(target, journey).then(
      (socket) => {
        // What the server closed while it was idle must not be used again.
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
