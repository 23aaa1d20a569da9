// Somebody else's MCP server: it tells the time in a place. What it says of itself is in a file, so
// that the example can change it behind our back.

import { readFileSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const description = readFileSync(process.argv[2] ?? "", "utf8").trim();

serveStdio(() => {
  const server = new McpServer({ name: "clock", version: "1.0.0" });
  const inputSchema = fromJsonSchema<{ zone: string }>({
    type: "object",
    properties: { zone: { type: "string", description: "Such as Europe/Berlin." } },
    required: ["zone"],
  });
  server.registerTool("time_in", { description, inputSchema }, async ({ zone }) => {
    const noon = new Date(Date.UTC(2000, 0, 1, 12));
    const text = noon.toLocaleTimeString("en-GB", { timeZone: zone });
    return { content: [{ type: "text", text: `At noon in Greenwich it is ${text} there.` }] };
  });
  return server;
});
