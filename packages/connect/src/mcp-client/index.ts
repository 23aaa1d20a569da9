export { type ConnectOptions, connectMcp, type McpConnection } from "./connection/connect-mcp.ts";
export { needsLogin } from "./connection/explain-refusal.ts";
export type { ToolListing } from "./connection/list-tools.ts";
export type { ListedTool } from "./definition/listed-tool.ts";
export { pinTool, settlePins } from "./definition/settle-pins.ts";
export { isServerName, toToolId } from "./definition/tool-id.ts";
export { clientSettings, readSettingsFile, type SettingsPlace } from "./import/client-settings.ts";
export {
  type ImportedServer,
  type ImportedServers,
  readClientServers,
} from "./import/read-client-servers.ts";
export { type LogIn, logIn } from "./oauth/log-in.ts";
export { createBriefMemory, createStoredMemory, type OAuthMemory } from "./oauth/oauth-memory.ts";
export { type OAuthIdentity, OAuthProvider } from "./oauth/oauth-provider.ts";
export {
  type OAuthLogin,
  type OAuthLoginOptions,
  openOAuthLogin,
} from "./oauth/open-oauth-login.ts";
export {
  createServerFetch,
  type McpComputer,
  readHeaders,
  type ServerPlace,
} from "./servers/connect-server.ts";
export { inspectServer, type ServerInspection } from "./servers/inspect-server.ts";
export {
  type McpServers,
  type McpServersOptions,
  openMcpServers,
} from "./servers/open-mcp-servers.ts";
export { locateMcpStore } from "./store/locate-mcp-store.ts";
export type {
  HttpSettings,
  McpServerEntry,
  PinnedTool,
  PinState,
  ServerSettings,
  StdioSettings,
} from "./store/mcp-server-entry.ts";
export { type Credentials, type McpStore, openMcpStore } from "./store/mcp-store.ts";
export { toPlainLine, toPlainText } from "./text/plain-text.ts";
export { HttpTransport, limitFetch } from "./transport/http-transport.ts";
export { type ProgramStarter, ProgramTransport } from "./transport/program-transport.ts";
export type { ServerTransport } from "./transport/server-transport.ts";
