import { randomBytes } from "node:crypto";
import type { JsonValue, ToolResult } from "@haft/contract";
import type { CallRequest, Session } from "@haft/core";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ClientForm } from "../clients/client-forms.ts";
import { type Elicit, maxAnswerMs } from "../host/elicit.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { CallParams } from "../lean-server.ts";
import { reportProgress } from "./call-progress.ts";
import { toCallResult } from "./call-result.ts";
import type { CallStep, OpenCalls, RequestedCall } from "./open-calls.ts";
import type { ToolList } from "./tool-list.ts";

/** A `tools/call` request and what is known of its client. */
export interface ToolRequest {
  readonly params: CallParams;
  readonly context: ServerContext;
  readonly era: "legacy" | "modern";
  readonly capabilities: ClientCapabilities | undefined;
}

/** The session that calls are made in, and the form in which its client gets results. */
export interface CallTarget {
  readonly session: Session;
  readonly host: McpHost;
  readonly form: ClientForm;
}

/** Answers a `tools/call` request. */
export type CallTool = (request: ToolRequest) => Promise<CallToolResult | InputRequiredResult>;

/** Creates the function that runs `tools/call` requests as calls of the session. */
export function createCallTool(
  { session, host, form }: CallTarget,
  { tools, openCalls }: { readonly tools: ToolList; readonly openCalls: OpenCalls },
): CallTool {
  // Requests of several clients can have the same id; calls of a session can not.
  const prefix = `mcp-${randomBytes(6).toString("hex")}-`;
  let made = 0;

  const run = (
    { id, name, arguments: args, limit }: LimitedCall,
    elicit: Elicit | undefined,
    signal: AbortSignal,
  ): Promise<ToolResult> => {
    const request = { id, name, arguments: args as JsonValue, limit };
    if (elicit === undefined) return session.call(request, { signal });
    host.expect(id, elicit);
    return session.call(request, { signal }).finally(() => host.forget(id));
  };

  return async ({ params, context, era, capabilities }) => {
    tools.refresh();
    const { mcpReq } = context;
    const requested = {
      id: `${prefix}${++made}`,
      name: params.name,
      arguments: params.arguments,
      limit: toLimit(form, mcpReq._meta?.[limitKey]),
    };
    const canElicit = hasForms(capabilities);
    const resumed = era === "modern" ? openCalls.resume(requested, mcpReq) : undefined;
    const progress = reportProgress(session, resumed?.id ?? requested.id, mcpReq);
    const proceed = (): Promise<CallStep> => {
      if (resumed !== undefined) return resumed.during(mcpReq);
      if (era === "modern" && canElicit) {
        return openCalls
          .start(requested, (elicit, signal) => run(requested, elicit, signal))
          .during(mcpReq);
      }
      return run(requested, canElicit ? elicitFrom(mcpReq) : undefined, signalOf(context));
    };
    const step = progress === undefined ? await proceed() : await progress.during(proceed);
    if (isInputRequiredResult(step)) return step;
    const promised = form.form === "structured" && tools.promises(params.name);
    return toCallResult(step, { form: form.form, promised, roots: session.roots });
  };
}

interface LimitedCall extends RequestedCall {
  readonly limit: Required<CallRequest>["limit"];
}

/** The key in a request's `_meta` that sets the maximum size of its result in bytes. */
const limitKey = "haft/maxBytes";
const minLimit = 1_000;

function toLimit(
  { maxBytes, maxLines = Number.POSITIVE_INFINITY }: ClientForm,
  given: unknown,
): LimitedCall["limit"] {
  if (given === undefined) {
    return { bytes: maxBytes, ...(Number.isFinite(maxLines) && { lines: maxLines }) };
  }
  if (typeof given === "number" && Number.isInteger(given) && given >= minLimit) {
    return { bytes: given };
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `_meta ${JSON.stringify(limitKey)} is ${JSON.stringify(given)}. Set it to a whole number of bytes from ${minLimit}.`,
  );
}

/** Tells whether a client shows forms. One that names no kind of elicitation supports them. */
export function hasForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

// In the legacy era a server asks during the request. An error of the client is not an approval.
function elicitFrom({ send }: ServerContext["mcpReq"]): Elicit {
  return async (params, signal) => {
    try {
      const request = { method: "elicitation/create", params } as const;
      return await send(request, { signal, timeout: maxAnswerMs });
    } catch {
      return { action: "cancel" };
    }
  };
}

/** Aborts with the request. Over HTTP a legacy client that disconnects can't get the result later. */
export function signalOf({ mcpReq, http }: ServerContext): AbortSignal {
  const gone = http?.req?.signal;
  return gone === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, gone]);
}
