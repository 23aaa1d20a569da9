import { createHash, timingSafeEqual } from "node:crypto";
import type { onRequestAsyncHookHandler } from "fastify";
import { toErrorReply } from "./error-reply.ts";

const bearer = /^bearer +(\S+) *$/i;

/** Lets only requests pass that carry the token. */
export function requireToken(token: string): onRequestAsyncHookHandler {
  const expected = digest(token);
  return async (request, reply) => {
    const given = bearer.exec(request.headers.authorization ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    return reply
      .code(401)
      .header("www-authenticate", `Bearer realm="haft"${given ? ', error="invalid_token"' : ""}`)
      .send(
        toErrorReply(
          "unauthorized",
          "Send the token that was printed at start: Authorization: Bearer …",
        ),
      );
  };
}

// Digests are of one length, which the comparison needs, and tell nothing of the token's.
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
