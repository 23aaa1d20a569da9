import type { Tracing } from "@haft/core";
import { finishRequest } from "../../trace-mcp.ts";

/** A call to a tool of a server, for its span. */
export interface TracedServerCall {
  /** The name of the server in the settings. */
  readonly server: string;
  readonly tool: string;
  readonly isLocal: boolean;
  readonly protocolVersion: string | undefined;
}

/**
 * Calls a tool inside a span, named and described by the semantic conventions of OpenTelemetry for MCP.
 * `work` gets what the request must carry, so that spans of the server are below this one.
 */
export function traceServerCall<Result>(
  tracing: Tracing | undefined,
  { server, tool, isLocal, protocolVersion }: TracedServerCall,
  work: (carrier: Readonly<Record<string, string>> | undefined) => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return work(undefined);
  const span = tracing.startSpan(`tools/call ${tool}`, {
    kind: "client",
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "haft.mcp.server": server,
      "network.transport": isLocal ? "pipe" : "tcp",
      ...(protocolVersion !== undefined && { "mcp.protocol.version": protocolVersion }),
    },
  });
  const { traceparent, tracestate } = span;
  const carrier = { traceparent, ...(tracestate !== undefined && { tracestate }) };
  return finishRequest(span, () => work(carrier));
}
