export { type ConnectOptions, connectMcp, type McpConnection } from "./connection/connect-mcp.ts";
export {
  type McpServers,
  type McpServersOptions,
  openMcpServers,
} from "./servers/open-mcp-servers.ts";
export type { McpClientContext, McpComputer } from "./servers/server-type.ts";
export type {
  HttpSettings,
  McpServerEntry,
  PinnedTool,
  PinState,
  ServerSettings,
  StdioSettings,
} from "./store/mcp-server-entry.ts";
export type { Credentials, McpStore } from "./store/mcp-store.ts";
export type { ProgramStarter } from "./transport/program-transport.ts";
export type { ServerTransport } from "./transport/server-transport.ts";
