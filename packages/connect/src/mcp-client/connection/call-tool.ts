import { type JsonValue, type Runtime, ToolError } from "@haft/contract";
import type { ProtocolError } from "@modelcontextprotocol/client";
import type { ListedTool } from "../definition/listed-tool.ts";
import type { PreparedTool } from "../definition/prepared-tool.ts";
import { messageOf } from "../message-of.ts";
import { toPlainLine, toPlainText } from "../text/plain-text.ts";
import type { McpConnection } from "./connect-mcp.ts";
import { toData } from "./to-data.ts";

/** A call to one tool of a server. */
export interface ServerCall {
  readonly server: string;
  /** As the server describes it now. */
  readonly listed: ListedTool;
  readonly prepared: PreparedTool;
  readonly args: Readonly<Record<string, unknown>>;
}

// The path of a call has its own time limit and aborts by the signal.
const noTimeout = 2 ** 31 - 1;
const progressInterval = 50;

/** Makes a call. What goes wrong with the connection is `unavailable`, what the tool says is `failed`. */
export async function callTool(
  call: ServerCall,
  connection: McpConnection,
  runtime: Pick<Runtime, "signal" | "progress">,
): Promise<JsonValue> {
  const { client } = connection;
  const { name, inputSchema } = call.listed;
  let reported = Number.NEGATIVE_INFINITY;
  const release = connection.hold();
  try {
    const result = await client.callTool(
      { name, arguments: call.args },
      {
        signal: runtime.signal,
        timeout: noTimeout,
        // Its own schema, but in the form in which it can be held against data without danger.
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
    return toData(result);
  } catch (error) {
    if (ToolError.isInstance(error)) throw error;
    throw await explain(error);
  } finally {
    release();
  }

  async function explain(error: unknown): Promise<ToolError> {
    const { ProtocolError, SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
    const about = `The MCP server ${call.server}`;
    if (ProtocolError.isInstance(error)) return fromProtocolError(error, about);
    const code = SdkError.isInstance(error) ? error.code : undefined;
    if (code === SdkErrorCode.InvalidResult || code === SdkErrorCode.UnsupportedResultType) {
      const why = toPlainLine(messageOf(error), 500);
      return new ToolError("failed", `${about} answered against the protocol: ${why}`);
    }
    if (code === SdkErrorCode.CapabilityNotSupported) {
      const why = toPlainLine(messageOf(error), 500);
      return new ToolError("failed", `${about} wants more than it can have here: ${why}`);
    }
    return connection.toFailure(error);
  }
}

function fromProtocolError(error: ProtocolError, about: string): ToolError {
  const text = toPlainText(error.message, 10_000);
  // The library's own words, where a result does not fit or there is none.
  if (/structured content|outputSchema/iu.test(text)) {
    const why = toPlainLine(text, 1_000);
    return new ToolError("failed", `${about} answered against its own output schema: ${why}`);
  }
  return new ToolError("failed", `${about} refuses: ${text}`);
}
