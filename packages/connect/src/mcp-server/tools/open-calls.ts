import { randomUUID } from "node:crypto";
import type { ToolResult } from "@haft/contract";
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type Elicit,
  type ElicitAnswer,
  type ElicitForm,
  longestAnswerMs,
} from "../host/elicit.ts";

/** What a request makes of a call: it ended, or its person has to answer first. */
export type CallStep = ToolResult | InputRequiredResult;

/** The call that a request is about. */
export interface RequestedCall {
  /** Its own in the session. */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Calls that live longer than one request. In the modern era a server can't ask: it ends the
 * request by saying what it wants to know, and the client makes the request again with the answer.
 * The call itself waits meanwhile and is never started twice.
 */
export interface OpenCalls {
  /** The waiting call that this request goes on with; `undefined` if it is to be a new one. */
  resume(requested: RequestedCall, request: Request): OpenCall | undefined;
  start(requested: RequestedCall, run: Run): OpenCall;
  /** Gives up those that wait. */
  close(): void;
}

/** A call that may have to ask on its way. */
export interface OpenCall {
  readonly id: string;
  /** What becomes of the call while this request lasts. */
  during(request: Request): Promise<CallStep>;
}

type Request = ServerContext["mcpReq"];

type Run = (elicit: Elicit, signal: AbortSignal) => Promise<ToolResult>;

/** Keeps the calls of one server, or of one endpoint, that wait for their person. */
export function createOpenCalls(): OpenCalls {
  const waiting = new Map<string, WaitingCall>();
  return {
    resume: (requested, request) => {
      const state = request.requestState<string>();
      if (state === undefined) return undefined;
      const call = waiting.get(state);
      if (call === undefined || call.key !== toKey(requested)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, expired);
      }
      waiting.delete(state);
      call.answer(request);
      return call;
    },
    start: (requested, run) => new WaitingCall(requested, run, waiting),
    close: () => {
      for (const call of waiting.values()) call.giveUp();
      waiting.clear();
    },
  };
}

const expired = "Nothing waits for this answer any more, so nothing was run. Make the call again.";

interface Wanted {
  readonly form: ElicitForm;
  answer(answer: ElicitAnswer): void;
}

class WaitingCall implements OpenCall {
  readonly id: string;
  readonly key: string;
  readonly #waiting: Map<string, WaitingCall>;
  readonly #controller = new AbortController();
  readonly #result: Promise<ToolResult>;
  readonly #wanted = new Map<string, Wanted>();
  #asked: PromiseWithResolvers<void> = Promise.withResolvers();
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(requested: RequestedCall, run: Run, waiting: Map<string, WaitingCall>) {
    this.id = requested.id;
    this.key = toKey(requested);
    this.#waiting = waiting;
    this.#result = run((form) => this.#elicit(form), this.#controller.signal);
  }

  async during({ signal }: Request): Promise<CallStep> {
    const stop = (): void => this.#controller.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const result = await Promise.race([this.#result, this.#asked.promise]);
      return result ?? this.#ask();
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Hands over the answers that came; what was not answered is asked again. */
  answer({ inputResponses }: Request): void {
    clearTimeout(this.#timer);
    for (const [key, { answer }] of this.#wanted) {
      const view = inputResponse(inputResponses, key);
      if (view.kind !== "elicit") continue;
      this.#wanted.delete(key);
      answer(view as ElicitAnswer);
    }
    if (this.#wanted.size === 0) this.#asked = Promise.withResolvers();
  }

  giveUp(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  #elicit(form: ElicitForm): Promise<ElicitAnswer> {
    return new Promise((resolve) => {
      this.#wanted.set(`answer_${++this.#count}`, { form, answer: resolve });
      this.#asked.resolve();
    });
  }

  #ask(): InputRequiredResult {
    const requestState = randomUUID();
    this.#waiting.set(requestState, this);
    this.#timer = setTimeout(() => {
      this.#waiting.delete(requestState);
      this.giveUp();
    }, longestAnswerMs).unref();
    const asked = Array.from(this.#wanted, ([key, { form }]) => [key, inputRequired.elicit(form)]);
    return inputRequired({ inputRequests: Object.fromEntries(asked), requestState });
  }
}

// An answer holds for the call that the person saw, and for no other.
function toKey({ name, arguments: args }: RequestedCall): string {
  return JSON.stringify([name, args]);
}
