import type { FastifyReply } from "fastify";
import type { ApiReply } from "./route.ts";
import { streamEvents } from "./stream-events.ts";

const json = "application/json; charset=utf-8";

/** Sends a route's answer. */
export function sendReply(reply: FastifyReply, answer: ApiReply): void {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.events !== undefined) {
    streamEvents(reply, answer.events);
    return;
  }
  const { body } = answer;
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
    reply.send(body);
    return;
  }
  // Written here and not by a schema: what a route answers goes out whole.
  reply.header("content-type", json).send(JSON.stringify(body));
}
