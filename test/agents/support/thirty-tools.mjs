// An MCP server with thirty tools, in plain JavaScript so that it runs in any sandbox.
import { createInterface } from "node:readline";

const inputSchema = { type: "object", properties: { of: { type: "string" } } };
const tools = Array.from({ length: 30 }, (_, at) => ({
  name: at === 17 ? "weigh_elephants" : `count_things_${at}`,
  description: at === 17 ? "Weighs elephants by the ton." : `Counts things of kind ${at}.`,
  inputSchema,
}));

const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "thirty", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: given }) => ({
    content: [{ type: "text", text: `${name} of ${given?.of}: 5 tons` }],
  }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = handlers[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: `No ${method} here.` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
