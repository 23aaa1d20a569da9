import type { SessionTracing, TraceCarrier } from "@haft/core";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { finishRequest } from "../trace-mcp.ts";

/** A request of a client. */
export interface TracedRequest {
  readonly server: Server;
  readonly context: ServerContext;
  /** The name of the tool that is called, if there is such a tool. */
  readonly tool?: string | undefined;
}

/**
 * Answers a request inside a span, below the client's span if the request names one. The span is named and
 * described by the semantic conventions of OpenTelemetry for MCP.
 */
export function traceRequest<Result>(
  tracing: SessionTracing | undefined,
  request: TracedRequest,
  answer: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return answer();
  const { context, server, tool } = request;
  const { id, method } = context.mcpReq;
  const version = server.getNegotiatedProtocolVersion();
  const span = tracing.startSpan(tool === undefined ? method : `${method} ${tool}`, {
    kind: "server",
    parent: findCarrier(context),
    attributes: {
      "mcp.method.name": method,
      "jsonrpc.request.id": String(id).slice(0, maxIdLength),
      "network.transport": context.http === undefined ? "pipe" : "tcp",
      ...(version !== undefined && { "mcp.protocol.version": version }),
      ...(method === "tools/call" && { "gen_ai.operation.name": "execute_tool" }),
      ...(tool !== undefined && { "gen_ai.tool.name": tool }),
    },
  });
  return finishRequest(span, answer);
}

const maxIdLength = 64;

// A request names the client's span in `_meta`. Over HTTP its headers may do so instead.
function findCarrier({ mcpReq, http }: ServerContext): TraceCarrier | undefined {
  const { traceparent, tracestate } = mcpReq._meta ?? {};
  if (typeof traceparent === "string") {
    return { traceparent, ...(typeof tracestate === "string" && { tracestate }) };
  }
  const header = http?.req?.headers.get("traceparent") ?? undefined;
  if (header === undefined) return undefined;
  return { traceparent: header, tracestate: http?.req?.headers.get("tracestate") ?? undefined };
}
