// For Haft's own packages. Unsupported: it changes without notice.
export { needsLogin } from "./connection/explain-refusal.ts";
export type { ToolListing } from "./connection/list-tools.ts";
export type { ListedTool } from "./definition/listed-tool.ts";
export { pinTool, settlePins } from "./definition/settle-pins.ts";
export { isServerName, toToolId } from "./definition/tool-id.ts";
export { clientSettings, readSettingsFile, type SettingsPaths } from "./import/client-settings.ts";
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
export { createServerFetch } from "./servers/http-server.ts";
export {
  firstStartMs,
  type InspectOptions,
  inspectServer,
  type ServerInspection,
} from "./servers/inspect-server.ts";
export type { LoginTarget, ServerType } from "./servers/server-type.ts";
export { serverTypeOf } from "./servers/server-types.ts";
export { locateMcpStore } from "./store/locate-mcp-store.ts";
export { openMcpStore } from "./store/mcp-store.ts";
export { HttpTransport, limitFetch } from "./transport/http-transport.ts";
export { ProgramTransport } from "./transport/program-transport.ts";
