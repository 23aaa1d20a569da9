import type { Session } from "@haft/core";
import type { FastifyPluginAsync } from "fastify";
import type { WorkbenchMount } from "../workbench-mount.ts";

const schema = {
  response: {
    200: {
      type: "object",
      properties: {
        version: { type: "string" },
        workspace: { type: "string" },
        missing: { type: "array", items: { type: "string" } },
      },
      required: ["version", "workspace", "missing"],
    },
  },
} as const;

const healthSchema = {
  response: {
    200: {
      type: "object",
      properties: { status: { const: "ok" }, version: { type: "string" } },
      required: ["status", "version"],
    },
  },
} as const;

/** The health and readiness routes. */
export function healthRoutes({ version }: { readonly version: string }): FastifyPluginAsync {
  const health = { status: "ok", version };
  return async (server) => {
    server.get("/healthz", { schema: healthSchema }, async () => health);
    // The session is opened before the server listens, so a server that answers is ready.
    server.get("/readyz", { schema: healthSchema }, async () => health);
  };
}

/** The route that tells the page about this workbench, including what it does not offer. */
export function statusRoute(parts: {
  readonly session: Session;
  readonly version: string;
  readonly workspace: string;
  readonly mounts: readonly WorkbenchMount[];
}): FastifyPluginAsync {
  const { session, version, workspace, mounts } = parts;
  const hasMcp = mounts.some(({ path }) => path === "/mcp");
  return async (server) => {
    server.get("/status", { schema }, async () => ({
      version,
      workspace,
      missing: listMissing(session, hasMcp),
    }));
  };
}

function listMissing(session: Session, hasMcp: boolean): string[] {
  const present = new Set(session.tools().map(({ tool }) => tool));
  const tools = ["bash", "web_fetch", "web_search"].filter((tool) => !present.has(tool));
  return [
    "Publishing and versioning tools",
    "Organizations and keys",
    ...(hasMcp ? [] : ["MCP over HTTP at /mcp"]),
    ...(tools.length > 0 ? [`Shell and web tools: ${tools.join(", ")}`] : []),
    "Search through the history of calls",
  ];
}
