import type { onRequestAsyncHookHandler } from "fastify";
import { toErrorReply } from "./error-reply.ts";

/**
 * Refuses what another page may have sent: a name that was made to point here (DNS rebinding), or
 * an origin that is not our own.
 */
export function guardRequest(hostname: string): onRequestAsyncHookHandler {
  const names = ["localhost", "127.0.0.1", "[::1]", toHostName(hostname)];
  return async (request, reply) => {
    const { host = "", origin } = request.headers;
    const { localPort } = request.raw.socket;
    if (!names.some((name) => isAddress(host, name, localPort))) {
      return reply
        .code(403)
        .send(
          toErrorReply(
            "forbidden",
            `This is not ${JSON.stringify(host)}: use ${names[1]}:${localPort}.`,
          ),
        );
    }
    if (origin !== undefined && origin !== `http://${host}`) {
      return reply
        .code(403)
        .send(toErrorReply("forbidden", "Other pages may not send requests to the workbench."));
    }
  };
}

function isAddress(host: string, name: string, port: number | undefined): boolean {
  const given = host.toLowerCase();
  return given === `${name}:${port}` || (port === 80 && given === name);
}

function toHostName(hostname: string): string {
  return (hostname.includes(":") ? `[${hostname}]` : hostname).toLowerCase();
}
