// A server of the bare SDK with one tool that does nothing: what ours is measured against.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1" });
  server.registerTool(
    "tool_0",
    {
      description: "Does nothing at all.",
      inputSchema: z.object({
        path: z.string(),
        line: z.number().int(),
        exact: z.boolean(),
        title: z.string(),
        weight: z.number(),
        tags: z.array(z.string()),
        mode: z.enum(["fast", "slow"]),
      }),
    },
    async () => ({
      content: [{ type: "text", text: '{"ok":true}' }],
      structuredContent: { ok: true },
    }),
  );
  return server;
});
