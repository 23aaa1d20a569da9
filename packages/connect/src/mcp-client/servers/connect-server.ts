import type { Elicited } from "../connection/answer-elicitation.ts";
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
  /** Answers the server's questions to a person. Without it, the server is told that it can't ask. */
  onElicit?(params: unknown): Promise<Elicited>;
}

/** Connects to a stored server. */
export function connectServer(
  { name, settings, legacy }: McpServerEntry,
  context: McpClientContext,
  { signal, probe, onToolsChanged, onElicit, ...events }: ServerConnect = {},
): Promise<McpConnection> {
  const serverType = serverTypeOf(settings);
  return connectMcp({
    name,
    legacy: serverType.remembersEra && probe !== true && legacy,
    signal,
    timeoutMs: context.timeoutMs,
    ...(onToolsChanged && { onToolsChanged }),
    ...(onElicit && {
      client: { capabilities: { elicitation: { form: {} } } },
      configure: (client) => {
        client.setRequestHandler("elicitation/create", ({ params }) => onElicit(params));
      },
    }),
    createTransport: () => serverType.openTransport(name, settings, { ...context, ...events }),
  });
}
