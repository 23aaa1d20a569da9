export type { ClientIdentity } from "./clients/client-forms.ts";
export { createMcpHost, type McpHost, type McpHostOptions } from "./host/mcp-host.ts";
export { createMcpHttpHandler, type McpHttpHandler } from "./http/mcp-http-handler.ts";
export { type McpHttp, type McpHttpOptions, startMcpHttp } from "./http/start-mcp-http.ts";
export type { McpServing, OpenClientSession } from "./mcp-serving.ts";
export { type StdioOptions, serveMcpStdio } from "./stdio/serve-mcp-stdio.ts";
