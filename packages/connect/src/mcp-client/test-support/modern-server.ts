// A server of the library's own, which speaks both eras; it writes a letter to the file that its
// argument names whenever it is started.
import { appendFileSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

appendFileSync(process.argv[2] ?? "", "s");
serveStdio(() => {
  const server = new McpServer({ name: "modern", version: "1" });
  const inputSchema = fromJsonSchema<{ n: number }>({
    type: "object",
    properties: { n: { type: "number" } },
    required: ["n"],
  });
  const outputSchema = fromJsonSchema<number[]>({ type: "array", items: { type: "number" } });
  const description = "Counts up to n.";
  server.registerTool("count", { description, inputSchema, outputSchema }, async ({ n }, ctx) => {
    const { progressToken } = ctx.mcpReq._meta ?? {};
    if (progressToken !== undefined) {
      const params = { progressToken, progress: 1, message: "counting" };
      await ctx.mcpReq.notify({ method: "notifications/progress", params });
    }
    const numbers = Array.from({ length: n }, (_, at) => at + 1);
    return { content: [{ type: "text", text: numbers.join(" ") }], structuredContent: numbers };
  });
  return server;
});
