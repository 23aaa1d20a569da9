import { createHash, timingSafeEqual } from "node:crypto";
import type { InboxEntry, InboxHost } from "@haft/computer/internal";
import type { ToolResult } from "@haft/contract";
import {
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Elicit, ElicitAnswer } from "../host/elicit.ts";
import { decideByForm } from "../host/mcp-host.ts";
import { HeldCall, type HeldCallEvents, type RequestedCall, type Run, toKey } from "./held-call.ts";

/** The calls of a connection that outlive requests. */
export interface OpenCalls {
  /** Returns the waiting call that this request continues, or `undefined` for a new call. */
  resume(requested: RequestedCall, request: Request): FoundCall | undefined;
  start(requested: RequestedCall, how: StartedCall): HeldCall;
  /**
   * Finds a call by the ID of its question. The call of an ended process is continued by this one. Returns
   * `undefined` if the workspace has no such question.
   */
  find(id: string): FoundCall | undefined;
  /** Returns the call of this connection that asks a question. */
  running(id: string): HeldCall | undefined;
  /** Answers a question by ID. Responses that are no answers to it are ignored. */
  answer(id: string, responses: Request["inputResponses"]): void;
  /** Cancels all waiting calls. What waits in the inbox stays there. */
  close(): void;
}

/** How a call is run, and how its client can be asked. */
export interface StartedCall {
  readonly run: Run;
  /** Whether the client shows forms. */
  readonly hasForms: boolean;
  /** Shows a form during the request. Default: forms are answers to requests. */
  readonly ask?: Elicit | undefined;
}

/** A call that runs here, or what the inbox has about it. */
export type FoundCall =
  | { readonly call: HeldCall; readonly entry?: undefined }
  | { readonly entry: InboxEntry; readonly call?: undefined };

type Request = ServerContext["mcpReq"];

/** Continues the call of an ended process. */
export type Continue = (entry: InboxEntry) => {
  readonly requested: RequestedCall;
  readonly run: Run;
};

/** Creates an empty collection of waiting calls, for one server or endpoint. */
export function createOpenCalls(host: InboxHost | undefined, continueCall: Continue): OpenCalls {
  const byState = new Map<string, HeldCall>();
  const byQuestion = new Map<string, HeldCall>();
  const signState = (id: string, key: string): string => {
    const digest = createHash("sha256").update(key).digest("hex");
    return host?.inbox.sign(`state ${id} ${digest}`) ?? "";
  };
  const events: HeldCallEvents = {
    seal: ({ id }, { key }) => `${id}.${signState(id, key)}`,
    onQuestion: ({ id }, call) => {
      byQuestion.set(id, call);
    },
    onResult: (result, questions) => {
      for (const { id } of questions) {
        byQuestion.delete(id);
        host?.inbox.end(id, result);
      }
    },
    onState: (state, call) => {
      if (call === undefined) byState.delete(state);
      else byState.set(state, call);
    },
  };
  const start = (requested: RequestedCall, how: StartedCall): HeldCall =>
    new HeldCall(requested, how, events);

  const find = (id: string): FoundCall | undefined => {
    const call = byQuestion.get(id);
    if (call !== undefined) return { call };
    const entry = host?.inbox.find(id);
    if (entry === undefined || entry.question.workspace !== host?.workspace) return undefined;
    const { question, state, progress, isHeld } = entry;
    const isOpen = (state === "waiting" || state === "answered") && progress === "waiting";
    if (!isOpen || isHeld || question.call === undefined) return { entry };
    const { requested, run } = continueCall(entry);
    return { call: start(requested, { run, hasForms: false }) };
  };

  // The state proves which question the client was asked about which call, in whatever process that was.
  const resumeQuestion = (
    state: string,
    key: string,
    responses: Request["inputResponses"],
  ): FoundCall | undefined => {
    const [, id = "", signature = ""] = stateForm.exec(state) ?? [];
    if (id === "" || !isSame(signature, signState(id, key))) return undefined;
    if (!byQuestion.has(id)) answer(id, responses);
    return find(id);
  };
  const answer = (id: string, responses: Request["inputResponses"]): void => {
    const call = byQuestion.get(id);
    call?.answer(responses);
    const entry = call === undefined ? host?.inbox.find(id) : undefined;
    if (entry?.state !== "waiting" || host === undefined) return;
    for (const name of Object.keys(responses ?? {})) {
      const view = inputResponse(responses, name);
      if (view.kind === "elicit") decideByForm(host.inbox, entry, view as ElicitAnswer);
    }
  };

  return {
    resume: (requested, { requestState, inputResponses }) => {
      const state = requestState<string>();
      if (state === undefined) return undefined;
      const key = toKey(requested);
      const known = byState.get(state);
      const found: FoundCall | undefined =
        known === undefined ? resumeQuestion(state, key, inputResponses) : { call: known };
      if (found === undefined || (known !== undefined && known.key !== key)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, expired);
      }
      byState.delete(state);
      found.call?.answer(inputResponses);
      return found;
    },
    start,
    find,
    running: (id) => byQuestion.get(id),
    answer,
    close: () => {
      for (const call of [...byState.values(), ...byQuestion.values()]) call.cancel();
      byState.clear();
      byQuestion.clear();
    },
  };
}

const expired = "Not run: no call is waiting for this answer. Make the call again.";
const stateForm = /^([0-9a-f]{32})\.([0-9a-f]{64})$/u;

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Returns the result of a call that was not run. */
export function toRefusal(
  error_code: NonNullable<ToolResult["metadata"]["error_code"]>,
  error_text: string,
  approval?: ToolResult["metadata"]["approval"],
): ToolResult {
  const metadata = { duration_ms: 0, error_code, ...(approval && { approval }) };
  return { type: "error", error_text, metadata };
}
