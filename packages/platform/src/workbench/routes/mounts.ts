import type { RequestGuard } from "@haft/computer/internal";
import type { FastifyPluginAsync } from "fastify";
import { guardRequests } from "../guard-requests.ts";
import { securityHeaders } from "../security-headers.ts";
import type { WorkbenchMount } from "../workbench-mount.ts";

/** The routes of mounts, behind the token. */
export function mountRoutes(parts: {
  readonly mounts: readonly WorkbenchMount[];
  readonly tokenGuard: RequestGuard;
}): FastifyPluginAsync {
  return async (server) => {
    server.addHook("onRequest", guardRequests(parts.tokenGuard));
    // A mount reads the body itself, to its own limit.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const mount of parts.mounts) {
      server.all(mount.path, async ({ raw: request }, reply) => {
        reply.hijack();
        const { raw: response } = reply;
        for (const [name, value] of Object.entries(securityHeaders))
          response.setHeader(name, value);
        await mount.handle(request, response).catch(() => response.destroy());
      });
    }
  };
}
