import type { FastifyPluginAsync } from "fastify";
import { loadPageAssets } from "../page-assets.ts";

/** The page with its script and style. They hold no data, and need no token. */
export async function pageRoutes(): Promise<FastifyPluginAsync> {
  const assets = await loadPageAssets();
  return async (server) => {
    for (const { path, type, content } of assets) {
      server.get(path, async (_request, reply) => reply.type(type).send(content));
    }
  };
}
