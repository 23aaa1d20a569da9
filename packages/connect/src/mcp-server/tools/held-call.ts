import { randomUUID } from "node:crypto";
import type { OpenQuestion, StoredQuestion } from "@haft/computer/internal";
import type { ToolResult } from "@haft/contract";
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallClient } from "../host/call-client.ts";
import { type Elicit, type ElicitAnswer, type ElicitForm, maxAnswerMs } from "../host/elicit.ts";

/** The outcome of a request: the result of the call, questions to answer first, or that it waits in the inbox. */
export type CallStep = ToolResult | InputRequiredResult | WaitingStep;

/** The call goes on without the request. */
export interface WaitingStep {
  readonly waiting: StoredQuestion;
}

/** The call of a request. */
export interface RequestedCall {
  /** Unique in the session. */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** Runs a call. */
export type Run = (client: CallClient, signal: AbortSignal) => Promise<ToolResult>;

/** How a request waits for its call. */
export interface Hold {
  /** Aborts the call, as long as the request waits for it. */
  readonly signal: AbortSignal;
  /** How long the request waits while the call waits in the inbox, in milliseconds. */
  readonly patienceMs: number;
  /** Whether the client gets a task as soon as the call waits in the inbox. */
  readonly asTask?: boolean;
  /** Whether the request asks for the state of a call that goes on without it. */
  readonly isInquiry?: boolean;
}

type Answers = ServerContext["mcpReq"]["inputResponses"];

/** What a held call tells its collection. */
export interface HeldCallEvents {
  /** Returns the state with which the client continues the call. */
  seal(question: StoredQuestion, call: HeldCall): string;
  /** Called with each question in the inbox. */
  onQuestion(question: StoredQuestion, call: HeldCall): void;
  onResult(result: ToolResult, questions: readonly StoredQuestion[]): void;
  /** Called when the client is given a state, and when the state no longer holds. */
  onState(state: string, call: HeldCall | undefined): void;
}

/**
 * A call that may outlive its request. In the modern era a server can't ask during a request: it answers with its
 * questions, and the client repeats the request with the answers. A call that waits in the inbox goes on without a
 * request. No call is started twice.
 */
export class HeldCall {
  readonly id: string;
  readonly name: string;
  readonly #requested: RequestedCall;
  readonly #events: HeldCallEvents;
  readonly #controller = new AbortController();
  readonly #result: Promise<ToolResult>;
  readonly #wanted = new Map<string, { form: ElicitForm; answer(answer: ElicitAnswer): void }>();
  readonly #questions: StoredQuestion[] = [];
  #ended: ToolResult | undefined;
  #question: OpenQuestion | undefined;
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();
  #timer: NodeJS.Timeout | undefined;
  #asking = 0;
  #count = 0;

  /** `ask` shows forms during the request. Default: forms are answers to requests. */
  constructor(
    requested: RequestedCall,
    { run, ask, hasForms }: { run: Run; ask?: Elicit | undefined; hasForms: boolean },
    events: HeldCallEvents,
  ) {
    this.id = requested.id;
    this.name = requested.name;
    this.#requested = requested;
    this.#events = events;
    const elicit: Elicit =
      ask === undefined
        ? (form, signal) => this.#want(form, signal)
        : (form, signal) => this.#ask(() => ask(form, signal));
    const client: CallClient = {
      elicit: hasForms ? elicit : undefined,
      onWaiting: (question) => this.#wait(question),
    };
    this.#result = run(client, this.#controller.signal).then((result) => {
      this.#ended = result;
      events.onResult(result, this.#questions);
      return result;
    });
  }

  /** What the user saw: an answer is valid only for that. */
  get key(): string {
    return toKey(this.#requested);
  }

  /** Waits for the result or for questions, as long as the request has patience. */
  async during({ signal, patienceMs, asTask, isInquiry = false }: Hold): Promise<CallStep> {
    const stop = (): void => (isInquiry ? this.#notify() : this.cancel());
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    let timer: NodeJS.Timeout | undefined;
    let isPatient = patienceMs > 0 && asTask !== true;
    try {
      for (;;) {
        if (this.#ended !== undefined) return this.#ended;
        const question =
          this.#question?.question ?? (isInquiry ? this.#questions.at(-1) : undefined);
        const isTask = asTask === true && question !== undefined;
        if (this.#wanted.size > 0 && !isInquiry && !isTask) return this.#require();
        if (question !== undefined && this.#asking === 0) {
          if (!isPatient || signal.aborted) return this.#leave(question);
          timer ??= setTimeout(() => {
            isPatient = false;
            this.#notify();
          }, patienceMs);
        }
        await Promise.race([this.#result, this.#changed.promise]);
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** The forms that the client is to show. */
  forms(): Readonly<Record<string, ElicitForm>> {
    return Object.fromEntries(Array.from(this.#wanted, ([key, { form }]) => [key, form]));
  }

  /** Delivers answers. Questions without an answer are asked again. */
  answer(responses: Answers): void {
    clearTimeout(this.#timer);
    for (const [key, { answer }] of this.#wanted) {
      const view = inputResponse(responses, key);
      if (view.kind !== "elicit") continue;
      this.#wanted.delete(key);
      answer(view as ElicitAnswer);
    }
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #wait(question: OpenQuestion | undefined): void {
    this.#question = question;
    if (question !== undefined) {
      this.#questions.push(question.question);
      this.#events.onQuestion(question.question, this);
    }
    this.#notify();
  }

  async #ask(show: () => Promise<ElicitAnswer>): Promise<ElicitAnswer> {
    this.#asking++;
    try {
      return await show();
    } finally {
      this.#asking--;
      this.#notify();
    }
  }

  #want(form: ElicitForm, signal: AbortSignal): Promise<ElicitAnswer> {
    return new Promise((resolve) => {
      const key = `answer_${++this.#count}`;
      this.#wanted.set(key, { form, answer: resolve });
      signal.addEventListener("abort", () => this.#wanted.delete(key), { once: true });
      this.#notify();
    });
  }

  #leave(waiting: StoredQuestion): WaitingStep {
    this.#question?.keep();
    return { waiting };
  }

  #require(): InputRequiredResult {
    const question = this.#question;
    const asked = Array.from(this.#wanted, ([key, { form }]) => [key, inputRequired.elicit(form)]);
    const inputRequests = Object.fromEntries(asked);
    if (question !== undefined) {
      question.keep();
      const requestState = this.#events.seal(question.question, this);
      return inputRequired({ inputRequests, requestState });
    }
    const requestState = randomUUID();
    this.#events.onState(requestState, this);
    this.#timer = setTimeout(() => {
      this.#events.onState(requestState, undefined);
      this.cancel();
    }, maxAnswerMs).unref();
    return inputRequired({ inputRequests, requestState });
  }
}

/** Returns a text that is equal for equal calls. */
export function toKey({ name, arguments: args }: RequestedCall): string {
  return JSON.stringify([name, args]);
}
