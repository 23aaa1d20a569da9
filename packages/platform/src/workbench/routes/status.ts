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

/** What is served here, and what is not yet. */
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
