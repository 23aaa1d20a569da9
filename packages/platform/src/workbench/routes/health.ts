import type { FastifyPluginAsync } from "fastify";

const schema = {
  response: {
    200: {
      type: "object",
      properties: { status: { const: "ok" }, version: { type: "string" } },
      required: ["status", "version"],
    },
  },
} as const;

/** Whether the server lives, and whether it is ready, for whoever watches it. */
export function healthRoutes({ version }: { readonly version: string }): FastifyPluginAsync {
  const health = { status: "ok", version };
  return async (server) => {
    server.get("/healthz", { schema }, async () => health);
    // The session is opened before the server listens: what can be reached is ready.
    server.get("/readyz", { schema }, async () => health);
  };
}
