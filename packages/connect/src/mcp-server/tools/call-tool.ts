import { randomBytes } from "node:crypto";
import type { JsonValue, ToolResult } from "@haft/contract";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  isInputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Elicit, longestAnswerMs } from "../host/elicit.ts";
import type { CallParams } from "../lean-server.ts";
import type { McpServing } from "../mcp-serving.ts";
import { reportProgress } from "./call-progress.ts";
import { toCallResult } from "./call-result.ts";
import type { CallStep, OpenCalls, RequestedCall } from "./open-calls.ts";
import type { ToolList } from "./tool-list.ts";

/** A `tools/call` request, and who makes it. */
export interface ToolRequest {
  readonly params: CallParams;
  readonly context: ServerContext;
  readonly era: "legacy" | "modern";
  readonly capabilities: ClientCapabilities | undefined;
  /** The client shows images only where there is no structured content. */
  readonly losesImages: boolean;
}

/** Makes a session's calls for MCP requests. */
export type CallTool = (request: ToolRequest) => Promise<CallToolResult | InputRequiredResult>;

/** Makes what turns `tools/call` into a call of the session, and its result into an answer. */
export function createCallTool(
  { session, host }: McpServing,
  { tools, openCalls }: { readonly tools: ToolList; readonly openCalls: OpenCalls },
): CallTool {
  // Requests of several clients may have the same number; calls of a session may not.
  const prefix = `mcp-${randomBytes(6).toString("hex")}-`;
  let made = 0;

  const run = (
    { id, name, arguments: args }: RequestedCall,
    elicit: Elicit | undefined,
    signal: AbortSignal,
  ): Promise<ToolResult> => {
    const request = { id, name, arguments: args as JsonValue };
    if (elicit === undefined) return session.call(request, { signal });
    host.expect(id, elicit);
    return session.call(request, { signal }).finally(() => host.forget(id));
  };

  return async ({ params, context, era, capabilities, losesImages }) => {
    tools.refresh();
    const { mcpReq } = context;
    const requested = { id: `${prefix}${++made}`, name: params.name, arguments: params.arguments };
    const canElicit = hasForms(capabilities);
    const resumed = era === "modern" ? openCalls.resume(requested, mcpReq) : undefined;
    const progress = reportProgress(session, resumed?.id ?? requested.id, mcpReq);
    let step: CallStep;
    if (resumed !== undefined) {
      step = await resumed.during(mcpReq);
    } else if (era === "modern" && canElicit) {
      const call = openCalls.start(requested, (elicit, signal) => run(requested, elicit, signal));
      step = await call.during(mcpReq);
    } else {
      const elicit = canElicit ? elicitFrom(mcpReq) : undefined;
      step = await run(requested, elicit, signalOf(context));
    }
    if (progress !== undefined) await progress.end();
    if (isInputRequiredResult(step)) return step;
    const result = toCallResult(step, tools.promises(params.name));
    return losesImages ? preferImages(result) : result;
  };
}

function preferImages({ structuredContent, ...result }: CallToolResult): CallToolResult {
  const hasImage = result.content.some(({ type }) => type === "image");
  return hasImage || structuredContent === undefined ? result : { ...result, structuredContent };
}

// Saying nothing of the kinds of elicitation means forms; they came first.
function hasForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

// In the legacy era a server asks while the request lasts. A client that fails to is not a yes.
function elicitFrom({ send }: ServerContext["mcpReq"]): Elicit {
  return async (params, signal) => {
    try {
      const request = { method: "elicitation/create", params } as const;
      return await send(request, { signal, timeout: longestAnswerMs });
    } catch {
      return { action: "cancel" };
    }
  };
}

// Over HTTP a legacy client that hangs up can't come back for the result.
function signalOf({ mcpReq, http }: ServerContext): AbortSignal {
  const gone = http?.req?.signal;
  return gone === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, gone]);
}
