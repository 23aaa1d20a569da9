import { connectMcp, type McpConnection } from "../connection/connect-mcp.ts";
import type { McpServerEntry } from "../store/mcp-server-entry.ts";
import type { McpClientContext, ProgramEvents } from "./server-type.ts";
import { serverTypeOf } from "./server-types.ts";

/** Options of one connection. */
export interface ServerConnect extends ProgramEvents {
  readonly signal?: AbortSignal;
  /** Ask the server again which protocol era it speaks. */
  readonly probe?: boolean;
  onToolsChanged?(): void;
}

/** Connects to a stored server. */
export function connectServer(
  { name, settings, legacy }: McpServerEntry,
  context: McpClientContext,
  { signal, probe, onToolsChanged, ...events }: ServerConnect = {},
): Promise<McpConnection> {
  const serverType = serverTypeOf(settings);
  return connectMcp({
    name,
    legacy: serverType.remembersEra && probe !== true && legacy,
    signal,
    timeoutMs: context.timeoutMs,
    ...(onToolsChanged && { onToolsChanged }),
    createTransport: () => serverType.openTransport(name, settings, { ...context, ...events }),
  });
}
