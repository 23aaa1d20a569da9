import {
  currentUser,
  type InboxEntry,
  type InboxHost,
  listAnswers,
  type OpenQuestion,
  type SessionInbox,
} from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { type Host, headlessHost } from "@haft/core";
import { type FormQuestion, fromAskAnswer, toAskForm, toInboxDecision } from "./ask-form.ts";
import type { CallClient } from "./call-client.ts";
import type { Elicit, ElicitAnswer, ElicitForm } from "./elicit.ts";
import { fromElicitAnswer, toElicitForm } from "./question-form.ts";

/** A host that asks through the client that made the call. */
export interface McpHost extends Host {
  /** The inbox where calls wait, if they do. */
  readonly inbox: InboxHost | undefined;
  /** Registers, before a call starts, how its user can be asked. */
  expect(callId: string, client: CallClient): void;
  forget(callId: string): void;
  /** Tells whether a question reaches a person, given whether the client shows forms. */
  canQuestion(hasForms: boolean): boolean;
}

/** Options of `createMcpHost`. */
export interface McpHostOptions {
  /** Host for calls whose client can't show forms. Default: a host that refuses every question. */
  readonly fallback?: Host;
  /** What clients are asked; the rest goes to the fallback. Default: approvals and questions. */
  readonly elicits?: readonly ("ask" | "question")[];
  /** Where calls that need a person wait instead of being refused. The client's user is one who can answer. */
  readonly inbox?: InboxHost | undefined;
}

/**
 * Creates a host for sessions that are served over MCP. Several clients can share one.
 *
 * @example
 * ```ts
 * import { createMcpHost, serveMcpStdio } from "@haft/connect/mcp-server";
 * import { createSession, type SessionOptions } from "@haft/core";
 *
 * declare const options: SessionOptions;
 * const host = createMcpHost();
 * const session = createSession({ ...options, host });
 * await serveMcpStdio({ session, host, version: "1.0.0" }, { signal: new AbortController().signal });
 * ```
 */
export function createMcpHost(options: McpHostOptions = {}): McpHost {
  const { fallback = headlessHost, elicits = ["ask", "question"], inbox } = options;
  const expected = new Map<string, CallClient>();
  const find = (kind: "ask" | "question", callId: string): Elicit | undefined =>
    elicits.includes(kind) ? expected.get(callId)?.elicit : undefined;
  return {
    headless: false,
    inbox,
    expect: (callId, client) => {
      expected.set(callId, client);
    },
    forget: (callId) => {
      expected.delete(callId);
    },
    canQuestion: (hasForms) =>
      (hasForms && elicits.includes("question")) ||
      inbox !== undefined ||
      fallback.question !== headlessHost.question,
    ask: async (request) => {
      const callId = request.program?.callId ?? request.callId;
      const elicit = find("ask", callId);
      if (inbox !== undefined) {
        return waitInInbox(inbox.open(request), {
          ...{ inbox, signal: request.signal, client: { ...expected.get(callId), elicit } },
          toForm: (question) => toAskForm(request, question),
        });
      }
      if (elicit === undefined) return fallback.ask(request);
      return fromAskAnswer(await elicit(await toAskForm(request), request.signal), request);
    },
    question: async (request) => {
      const elicit = find("question", request.callId);
      const waiting = inbox?.openQuestions(request);
      if (inbox !== undefined && waiting !== undefined) {
        return waitInInbox(waiting, {
          ...{ inbox, signal: request.signal },
          client: { ...expected.get(request.callId), elicit },
          toForm: (question) => toElicitForm(request.questions, question),
        });
      }
      if (elicit === undefined) return fallback.question(request);
      const { questions, signal } = request;
      const answer = await elicit(toElicitForm(questions), signal);
      const given = fromElicitAnswer(answer, questions);
      if (given !== undefined) return given;
      throw new ToolError("rejected-by-user", "The question was not answered.");
    },
  };
}

/** How a question in the inbox is asked in its client, too. */
interface ShownQuestion {
  readonly inbox: InboxHost;
  readonly signal: AbortSignal;
  readonly client: CallClient;
  toForm(question: FormQuestion): ElicitForm | Promise<ElicitForm>;
}

/** Asks in the inbox, and in the client if it shows forms. The first answer counts. */
async function waitInInbox<Answer>(
  question: OpenQuestion<Answer>,
  { inbox, signal, client: { elicit, onWaiting }, toForm }: ShownQuestion,
): Promise<Answer> {
  const { id } = question.question;
  const answered = new AbortController();
  const ask = async (show: Elicit): Promise<void> => {
    const form = await toForm({ id, sign: inbox.inbox.sign });
    const answer = await show(form, AbortSignal.any([signal, answered.signal]));
    if (!answered.signal.aborted) decideByForm(inbox.inbox, question, answer);
  };
  // A client that fails to ask leaves the question to the inbox.
  if (elicit !== undefined) ask(elicit).catch(() => {});
  onWaiting?.(question);
  try {
    return await question.answer();
  } finally {
    answered.abort();
    onWaiting?.(undefined);
  }
}

/** Records the decision that a person took in a form, if it is one. */
export function decideByForm(
  inbox: SessionInbox,
  { question }: Pick<InboxEntry, "question">,
  answer: ElicitAnswer,
): void {
  const { id, questions } = question;
  const how = { reason: undefined, by: currentUser(), via: "elicitation" };
  const answers = questions && fromElicitAnswer(answer, questions);
  if (answers !== undefined) {
    inbox.decide(id, { answer: "answered", answers, ...how });
    return;
  }
  const offered = questions === undefined ? listAnswers({ question }) : (["no"] as const);
  const decision = toInboxDecision(answer, offered);
  if (decision !== undefined) inbox.decide(id, { answer: decision, ...how });
}
