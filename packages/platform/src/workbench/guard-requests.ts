import type { RequestGuard } from "@haft/computer/internal";
import type { onRequestAsyncHookHandler } from "fastify";
import { toErrorCode, toErrorReply } from "./error-reply.ts";

/** Answers requests that a guard refuses, and lets the others pass. */
export function guardRequests(guard: RequestGuard): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const refusal = guard(request.raw);
    if (refusal === undefined) return;
    const { status, message, headers = {} } = refusal;
    return reply
      .code(status)
      .headers(headers)
      .send(toErrorReply(toErrorCode(status), message));
  };
}
