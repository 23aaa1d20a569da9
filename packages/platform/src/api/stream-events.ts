import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { findErrorAnswer } from "./error-answer.ts";
import type { ServerSentEvent } from "./route.ts";

const heartbeatMs = 15_000;
const faultDetail = "Something went wrong on the server. Try again.";

/** Tells whether a request with this header asks for server-sent events. */
export function wantsEvents(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes("text/event-stream") ?? false;
}

/** Sends server-sent events until they end or the caller disconnects. */
export function streamEvents(reply: FastifyReply, events: AsyncIterable<ServerSentEvent>): void {
  const response = reply.raw;
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  response.writeHead(response.statusCode, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    // Proxies that buffer responses would delay the events.
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  const heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs);
  heartbeat.unref();
  void writeAll(response, events).finally(() => {
    clearInterval(heartbeat);
    response.end();
  });
}

async function writeAll(
  response: ServerResponse,
  events: AsyncIterable<ServerSentEvent>,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  const gone = Promise.withResolvers<undefined>();
  response.once("close", () => gone.resolve(undefined));
  try {
    while (!response.destroyed) {
      const next = await Promise.race([iterator.next(), gone.promise]);
      if (next === undefined || next.done === true) break;
      const { event, data, id } = next.value;
      const start = id === undefined ? "" : `id: ${id}\n`;
      if (!response.write(`${start}${toText(event, data)}`)) {
        await Promise.race([once(response, "drain").catch(() => {}), gone.promise]);
      }
    }
  } catch (error) {
    const answer = findErrorAnswer(error);
    response.write(
      toText("error", {
        status: answer?.status ?? 500,
        detail: answer?.body.detail ?? faultDetail,
      }),
    );
    return;
  }
  // Not awaited: a busy iterator returns only when its current step is done.
  if (response.destroyed) void Promise.resolve(iterator.return?.()).catch(() => {});
}

function toText(event: string, data: unknown): string {
  return `event: ${event.replaceAll(/[\r\n]/gu, " ")}\ndata: ${JSON.stringify(data ?? null)}\n\n`;
}
