import { randomBytes } from "node:crypto";
import type { InboxEntry } from "@haft/computer/internal";
import { type JsonValue, ToolError, type ToolResult } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
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
import type { CallClient } from "../host/call-client.ts";
import { type Elicit, maxAnswerMs } from "../host/elicit.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { CallParams } from "../lean-server.ts";
import { type CallProgress, reportProgress } from "./call-progress.ts";
import { toCallResult } from "./call-result.ts";
import { describeEntry, describeWaiting, statusTool } from "./call-status.ts";
import type { CallStep, Hold, RequestedCall, Run } from "./held-call.ts";
import { createOpenCalls, type FoundCall, toRefusal } from "./open-calls.ts";
import {
  createTasks,
  hasTasks,
  type TaskHandlers,
  type TaskResult,
  toTaskResult,
} from "./tasks.ts";
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

/** The calls of a connection. */
export interface ToolCalls {
  /** Answers a `tools/call` request. */
  callTool(request: ToolRequest): Promise<CallToolResult | InputRequiredResult | TaskResult>;
  readonly tasks: TaskHandlers;
  /** Cancels calls that wait for a person. What waits in the inbox stays there. */
  close(): void;
}

/** Creates what runs `tools/call` requests as calls of the session. */
export function createToolCalls({ session, host, form }: CallTarget, tools: ToolList): ToolCalls {
  // Requests of several clients can have the same id; calls of a session can not.
  const prefix = `mcp-${randomBytes(6).toString("hex")}-`;
  let made = 0;
  const nextId = (): string => `${prefix}${++made}`;

  const run = (call: LimitedCall, client: CallClient, signal: AbortSignal): Promise<ToolResult> => {
    const { id, name, arguments: args, limit } = call;
    const request = { id, name, arguments: args as JsonValue, ...(limit && { limit }) };
    host.expect(id, client);
    return session.call(request, { signal }).finally(() => host.forget(id));
  };
  const continueCall = ({ question }: InboxEntry): { requested: RequestedCall; run: Run } => {
    const { name, arguments: args } = question.call ?? question;
    const requested = { id: nextId(), name, arguments: args, limit: toLimit(form, undefined) };
    return { requested, run: (client, signal) => resume(requested, { question, client, signal }) };
  };
  const resume = async (
    requested: LimitedCall,
    { question, client, signal }: Pick<InboxEntry, "question"> & Resumed,
  ): Promise<ToolResult> => {
    const left = { question, keep: () => {}, answer: () => new Promise<never>(() => {}) };
    client.onWaiting?.(left);
    try {
      const answer = await host.inbox?.resume(question.id, requested.id, signal);
      if (answer?.answer === "reject" || answer === undefined) {
        const text = answer?.reason ?? `The user rejected this call of ${question.name}.`;
        return toRefusal("rejected-by-user", text, answer?.approval);
      }
    } catch (error) {
      const code = ToolError.isInstance(error) ? error.code : "internal";
      return toRefusal(code, toErrorMessage(error));
    } finally {
      client.onWaiting?.(undefined);
    }
    return run(requested, client, signal);
  };
  const openCalls = createOpenCalls(host.inbox, continueCall);

  const toResult = (result: ToolResult, name: string): CallToolResult => {
    const promised = form.form === "structured" && tools.promises(name);
    return toCallResult(result, { form: form.form, promised, roots: session.roots });
  };
  const toText = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

  /** Answers with the result of a call, or with its state. */
  const follow = async (
    { call, entry }: FoundCall,
    request: Omit<Hold, "signal" | "patienceMs"> & Followed,
  ): Promise<CallToolResult | InputRequiredResult | TaskResult> => {
    if (entry !== undefined) {
      const known = describeEntry(entry);
      return typeof known === "string" ? toText(known) : toResult(known, entry.question.name);
    }
    const { context, progress, ...how } = request;
    const wait = (): Promise<CallStep> => call.during({ ...holdOf(context), ...how });
    const step = progress === undefined ? await wait() : await progress.during(wait);
    if (isInputRequiredResult(step)) return step;
    if (!("waiting" in step)) return toResult(step, call.name);
    return how.asTask === true
      ? toTaskResult(step.waiting, call)
      : toText(describeWaiting(step.waiting));
  };
  const progressOf = ({ call }: FoundCall, { mcpReq }: ServerContext): CallProgress | undefined =>
    call && reportProgress(session, call.id, mcpReq);

  return {
    callTool: async ({ params, context, era, capabilities }) => {
      tools.refresh();
      const { mcpReq } = context;
      if (params.name === statusTool.name && host.inbox !== undefined && !tools.has(params.name)) {
        const id = (params.arguments as Readonly<Record<string, unknown>> | undefined)?.id;
        const found = typeof id === "string" ? openCalls.find(id) : undefined;
        if (found !== undefined) {
          return follow(found, { context, progress: progressOf(found, context), isInquiry: true });
        }
        const text = `No call has the id ${JSON.stringify(id ?? null)}. Use the id that the waiting call returned.`;
        return { ...toText(text), isError: true };
      }
      const requested = {
        id: nextId(),
        name: params.name,
        arguments: params.arguments,
        limit: toLimit(form, mcpReq._meta?.[limitKey]),
      };
      const hasForm = hasForms(capabilities);
      const resumed = era === "modern" ? openCalls.resume(requested, mcpReq) : undefined;
      if (resumed !== undefined) {
        return follow(resumed, { context, progress: progressOf(resumed, context) });
      }
      if (host.inbox === undefined && !(era === "modern" && hasForm)) {
        return runPlainly(requested, { hasForm, context });
      }
      // From the start of the call: it may report at once.
      const progress = reportProgress(session, requested.id, mcpReq);
      const call = openCalls.start(requested, {
        run: (client, signal) => run(requested, client, signal),
        hasForms: hasForm,
        ...(era === "legacy" && { ask: elicitFrom(mcpReq) }),
      });
      const asTask = era === "modern" && host.inbox !== undefined && hasTasks(capabilities);
      return follow({ call }, { context, progress, asTask });
    },
    tasks: createTasks(openCalls, { host, toResult }),
    close: () => openCalls.close(),
  };

  // Most calls need nothing that outlives their request.
  async function runPlainly(
    requested: LimitedCall,
    { hasForm, context }: { readonly hasForm: boolean; readonly context: ServerContext },
  ): Promise<CallToolResult> {
    const client = { elicit: hasForm ? elicitFrom(context.mcpReq) : undefined };
    const progress = reportProgress(session, requested.id, context.mcpReq);
    const proceed = (): Promise<ToolResult> => run(requested, client, signalOf(context));
    const result = progress === undefined ? await proceed() : await progress.during(proceed);
    return toResult(result, requested.name);
  }
}

interface Followed {
  readonly context: ServerContext;
  readonly progress: CallProgress | undefined;
}

interface Resumed {
  readonly client: CallClient;
  readonly signal: AbortSignal;
}

interface LimitedCall extends RequestedCall {
  readonly limit: Required<CallRequest>["limit"];
}

/** The key in a request's `_meta` that sets the maximum size of its result in bytes. */
const limitKey = "haft/maxBytes";
const minLimit = 1_000;
/** The key that sets how long a request waits for an approval, in milliseconds. */
const patienceKey = "haft/maxWaitMs";
/** The clients that give up first do so after 30 s. A server can't know whether progress changes that. */
const defaultPatienceMs = 25_000;
const maxPatienceMs = 24 * 60 * 60 * 1000;

function holdOf(context: ServerContext): { signal: AbortSignal; patienceMs: number } {
  const given = context.mcpReq._meta?.[patienceKey] ?? defaultPatienceMs;
  if (typeof given === "number" && given >= 0 && given <= maxPatienceMs) {
    return { signal: signalOf(context), patienceMs: given };
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `_meta ${JSON.stringify(patienceKey)} is ${JSON.stringify(given)}. Set it to a number of milliseconds up to ${maxPatienceMs}.`,
  );
}

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
