import { type JsonValue, type Runtime, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Tracing } from "@haft/core";
import { toPlainLine, toPlainText } from "@haft/core/internal";
import type { CallToolResult, ProtocolError } from "@modelcontextprotocol/client";
import type { ListedTool } from "../definition/listed-tool.ts";
import type { PreparedTool } from "../definition/prepared-tool.ts";
import type { McpConnection } from "./connect-mcp.ts";
import { toData } from "./to-data.ts";
import { traceServerCall } from "./trace-server-call.ts";

/** A call to one tool of a server. */
export interface ServerCall {
  readonly server: string;
  /** The tool as the server describes it now. */
  readonly listed: ListedTool;
  readonly prepared: PreparedTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tracing?: Tracing | undefined;
}

// The session has its own time limit and aborts through the signal.
const noTimeout = 2 ** 31 - 1;
const progressInterval = 50;

/** Calls a tool. A broken connection throws `unavailable`; an error of the tool throws `failed`. */
export async function callTool(
  call: ServerCall,
  connection: McpConnection,
  runtime: Pick<Runtime, "signal" | "progress">,
): Promise<JsonValue> {
  const { client } = connection;
  const { name, inputSchema } = call.listed;
  let reported = Number.NEGATIVE_INFINITY;
  const traced = {
    server: call.server,
    tool: toPlainLine(name, 100),
    isLocal: "pid" in connection.transport,
    protocolVersion: client.getNegotiatedProtocolVersion(),
  };
  const release = connection.hold();
  try {
    return toData(await traceServerCall(call.tracing, traced, request));
  } catch (error) {
    if (ToolError.isInstance(error)) throw error;
    throw await explain(error);
  } finally {
    release();
  }

  function request(carrier: Readonly<Record<string, string>> | undefined): Promise<CallToolResult> {
    return client.callTool(
      { name, arguments: call.args, ...(carrier !== undefined && { _meta: carrier }) },
      {
        signal: runtime.signal,
        // Over HTTP, what is between here and the server reads headers only.
        ...(carrier !== undefined && { headers: carrier }),
        timeout: noTimeout,
        // The translated schema: it can be checked without risk of endless work.
        toolDefinition: {
          name,
          inputSchema: inputSchema as { type: "object" },
          ...(call.prepared.output !== undefined && { outputSchema: call.prepared.output }),
        } as never,
        onprogress: ({ progress, total, message }) => {
          const now = performance.now();
          if (now - reported < progressInterval) return;
          reported = now;
          runtime.progress({
            ...(Number.isFinite(progress) && { done: progress }),
            ...(Number.isFinite(total) && { total: total as number }),
            ...(typeof message === "string" && { message: toPlainLine(message, 500) }),
          });
        },
      },
    );
  }

  async function explain(error: unknown): Promise<ToolError> {
    const { ProtocolError, SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
    const about = `The MCP server ${call.server}`;
    if (ProtocolError.isInstance(error)) return fromProtocolError(error, about);
    const code = SdkError.isInstance(error) ? error.code : undefined;
    if (code === SdkErrorCode.InvalidResult || code === SdkErrorCode.UnsupportedResultType) {
      const why = toPlainLine(toErrorMessage(error), 500);
      return new ToolError("failed", `${about} violated the protocol: ${why}`);
    }
    if (code === SdkErrorCode.CapabilityNotSupported) {
      const why = toPlainLine(toErrorMessage(error), 500);
      return new ToolError(
        "failed",
        `${about} requires a capability that Haft does not offer: ${why}`,
      );
    }
    return connection.toFailure(error);
  }
}

function fromProtocolError(error: ProtocolError, about: string): ToolError {
  const text = toPlainText(error.message, 10_000);
  // The SDK's wording for structured content that is missing or does not match.
  if (/structured content|outputSchema/iu.test(text)) {
    const why = toPlainLine(text, 1_000);
    return new ToolError(
      "failed",
      `${about} returned a result that does not match its output schema: ${why}`,
    );
  }
  return new ToolError("failed", `${about} refused the call: ${text}`);
}
