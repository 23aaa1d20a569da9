import type { Session } from "@haft/core";
import type { FastifyPluginAsync } from "fastify";

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

/** What is served here, and what is not yet. */
export function statusRoute(parts: {
  readonly session: Session;
  readonly version: string;
  readonly workspace: string;
}): FastifyPluginAsync {
  const { session, version, workspace } = parts;
  return async (server) => {
    server.get("/status", { schema }, async () => ({
      version,
      workspace,
      missing: listMissing(session),
    }));
  };
}

function listMissing(session: Session): string[] {
  const present = new Set(session.tools().map(({ tool }) => tool));
  const tools = ["bash", "web_fetch", "web_search"].filter((tool) => !present.has(tool));
  return [
    "Publishing and versioning tools",
    "Organizations and keys",
    "MCP over HTTP at /mcp",
    ...(tools.length > 0 ? [`Shell and web tools: ${tools.join(", ")}`] : []),
    "Search through the history of calls",
  ];
}
