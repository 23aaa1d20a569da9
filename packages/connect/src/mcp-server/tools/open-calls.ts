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
import { type Elicit, type ElicitAnswer, type ElicitForm, maxAnswerMs } from "../host/elicit.ts";

/** The outcome of a request: the result of the call, or questions to answer first. */
export type CallStep = ToolResult | InputRequiredResult;

/** The call of a request. */
export interface RequestedCall {
  /** Unique in the session. */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Calls that outlive a request. In the modern era a server can't ask during a request: it answers
 * with its questions, and the client repeats the request with the answers. The call waits meanwhile
 * and is never started twice.
 */
export interface OpenCalls {
  /** Returns the waiting call that this request continues, or `undefined` for a new call. */
  resume(requested: RequestedCall, request: Request): OpenCall | undefined;
  start(requested: RequestedCall, run: Run): OpenCall;
  /** Cancels all waiting calls. */
  close(): void;
}

/** A call that may ask questions. */
export interface OpenCall {
  readonly id: string;
  /** Waits for the result or for questions, as long as the request lasts. */
  during(request: Request): Promise<CallStep>;
}

type Request = ServerContext["mcpReq"];

type Run = (elicit: Elicit, signal: AbortSignal) => Promise<ToolResult>;

/** Creates an empty collection of waiting calls, for one server or endpoint. */
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
      for (const call of waiting.values()) call.cancel();
      waiting.clear();
    },
  };
}

const expired = "Not run: no call is waiting for this answer. Make the call again.";

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

  /** Delivers the answers. Questions without an answer are asked again. */
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

  cancel(): void {
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
      this.cancel();
    }, maxAnswerMs).unref();
    const asked = Array.from(this.#wanted, ([key, { form }]) => [key, inputRequired.elicit(form)]);
    return inputRequired({ inputRequests: Object.fromEntries(asked), requestState });
  }
}

// An answer is valid only for the call that the user saw.
function toKey({ name, arguments: args }: RequestedCall): string {
  return JSON.stringify([name, args]);
}
