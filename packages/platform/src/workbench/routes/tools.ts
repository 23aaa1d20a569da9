import type { Session } from "@haft/core";
import type { FastifyPluginAsync } from "fastify";

const schema = {
  response: {
    200: { type: "array", items: { type: "object", additionalProperties: true } },
  },
} as const;

/** The tools as a model would see them. */
export function toolsRoute({ session }: { readonly session: Session }): FastifyPluginAsync {
  return async (server) => {
    server.get("/tools", { schema }, async () => {
      session.startTurn();
      return session.tools();
    });
  };
}
