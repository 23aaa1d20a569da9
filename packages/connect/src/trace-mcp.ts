import { ToolError } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { TraceSpan } from "@haft/core";

/** Runs an MCP request inside its span and ends the span as its answer says. Never records a message. */
export function finishRequest<Result>(
  span: TraceSpan,
  request: () => Promise<Result>,
): Promise<Result> {
  return span.run(async () => {
    try {
      const result = await request();
      span.end(isPlainObject(result) && result.isError === true ? "tool_error" : undefined);
      return result;
    } catch (error) {
      const code = codeOf(error);
      if (typeof code === "number") span.setAttributes({ "rpc.status_code": String(code) });
      span.end(String(code));
      throw error;
    }
  });
}

// A code of JSON-RPC, of the SDK or of ours.
function codeOf(error: unknown): string | number {
  if (ToolError.isInstance(error)) return error.code;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "number" || typeof code === "string" ? code : "_OTHER";
}
