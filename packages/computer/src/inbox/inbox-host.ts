import { hash } from "node:crypto";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import {
  type AskAnswer,
  type AskRequest,
  type EventMap,
  type Host,
  headlessHost,
  parseRule,
  type QuestionFacts,
  type QuestionRequest,
  type Session,
} from "@haft/core";
import { formatRule, toCanonicalJson } from "@haft/core/internal";
import type { InboxEntry, StoredDecision, StoredQuestion } from "./inbox-item.ts";
import type { SessionInbox } from "./open-inbox.ts";

/** Options of `createInboxHost`. */
export interface InboxHostOptions {
  readonly inbox: SessionInbox;
  /** The first root of the workspace. */
  readonly workspace: string;
  /** The command that asks, such as `haft mcp`. */
  readonly asker: string;
  /** How long a question waits for its answer, in milliseconds. */
  readonly waitMs: number;
  /** Called with each question once it is stored. */
  onWaiting?(question: StoredQuestion): void;
}

/** A host without a person at hand: calls that need approval wait in the inbox. */
export interface InboxHost extends Host {
  readonly inbox: SessionInbox;
  readonly workspace: string;
  /** Stores the question about a call, or finds the one that an equal call of an ended process left. */
  open(request: AskRequest): OpenQuestion<AskAnswer>;
  /** Stores what a call asks, in the same way. `undefined` if it can't wait in an inbox. */
  openQuestions(request: QuestionRequest): OpenQuestion<string[][]> | undefined;
  /**
   * Waits for the answer to the question of an ended process and takes the right to run its call once, by a call
   * of this process with the given ID. Throws if it must not run.
   */
  resume(id: string, callId: string, signal: AbortSignal): Promise<AskAnswer>;
  /** Stores the results of the session's calls that waited. */
  follow(session: Pick<Session, "on">): void;
}

/** A question that this process waits for. */
export interface OpenQuestion<Answer = unknown> {
  readonly question: StoredQuestion;
  /** Leaves the question in the inbox when the call is aborted. Default: it is cancelled. */
  keep(): void;
  answer(): Promise<Answer>;
}

// An answer in the last moment counts, although it is read a little later.
const graceMs = 5_000;

/** Creates a host that stores its questions in an inbox and waits for the answers. */
export function createInboxHost(options: InboxHostOptions): InboxHost {
  const { inbox, workspace, asker, waitMs } = options;
  const continued = new Map<string, Continued>();
  const asked = new Map<string, Set<string>>();

  const toDeadline = (): string => new Date(Date.now() + waitMs).toISOString();
  const takeOrphan = (
    key: string,
    isSame: (entry: InboxEntry) => boolean,
  ): StoredQuestion | undefined => {
    const orphan = inbox.findOrphan(key);
    if (orphan === undefined || !isSame(orphan)) return undefined;
    inbox.hold(orphan.question.id);
    return orphan.question;
  };
  const store = (request: AskRequest): StoredQuestion => {
    const facts = request.toWaiting();
    const { session, tool, name, arguments: args, reason, rules, effects, program } = request;
    const shown = sha256(facts.shown);
    const key = sha256(toCanonicalJson([workspace, session, tool, args]));
    const isSame = ({ question }: InboxEntry): boolean =>
      question.shown === shown && toCanonicalJson(question.files) === toCanonicalJson(facts.files);
    const resumed = continued.get(request.callId);
    if (resumed !== undefined) {
      const entry = inbox.find(resumed.id);
      if (entry === undefined || !isSame(entry)) throw changed(name);
      return entry.question;
    }
    const orphan = facts.call && takeOrphan(key, isSame);
    if (orphan !== undefined) return orphan;
    return inbox.add({
      ...{ deadlineAt: toDeadline(), workspace, session, asker },
      ...{ key, tool, name, arguments: args, reason, rules: rules.map(formatRule), effects },
      ...{ isNested: program !== undefined, call: facts.call, dialect: facts.dialect },
      ...{ shown, files: facts.files },
    });
  };
  const note = (callId: string, id: string): void => {
    asked.set(callId, (asked.get(callId) ?? new Set()).add(id));
  };
  const storeQuestions = (facts: QuestionFacts): StoredQuestion => {
    const { session, tool, name, arguments: args, questions, isNested, call, dialect } = facts;
    const shown = sha256(toCanonicalJson(questions));
    const key = sha256(toCanonicalJson([workspace, session, tool, args, shown]));
    const orphan = call && takeOrphan(key, ({ question }) => question.shown === shown);
    if (orphan !== undefined) return orphan;
    return inbox.add({
      ...{ deadlineAt: toDeadline(), workspace, session, asker, key, tool, name },
      ...{ arguments: args, questions, reason: "it asks a person", rules: [], effects: undefined },
      ...{ isNested, call, dialect, shown, files: [] },
    });
  };
  const wait = <Answer>(
    question: StoredQuestion,
    { callId, signal }: Pick<AskRequest, "callId" | "signal">,
    toAnswer: (decision: StoredDecision) => Answer,
  ): OpenQuestion<Answer> => {
    const { id } = question;
    note(callId, id);
    options.onWaiting?.(question);
    let isKept = false;
    return {
      question,
      keep: () => {
        isKept = true;
      },
      answer: async () => {
        const decision = await inbox.whenDecided(id, signal).catch((error) => {
          if (!isKept) inbox.decide(id, byHaft("cancelled"));
          throw error;
        });
        return toAnswer(decision);
      },
    };
  };
  const open = (request: AskRequest): OpenQuestion<AskAnswer> => {
    const question = storeOrRefuse(() => store(request));
    const resumed = continued.get(request.callId);
    if (resumed === undefined) {
      return wait(question, request, (decision) => use(question, decision, inbox));
    }
    note(request.callId, question.id);
    return { question, keep: () => {}, answer: async () => resumed.answer };
  };
  const openQuestions: InboxHost["openQuestions"] = (request) => {
    const facts = request.toFacts?.();
    if (facts === undefined) return undefined;
    const resumed = continued.get(request.callId);
    const asked = resumed && inbox.find(resumed.id)?.question;
    if (resumed !== undefined && asked?.shown === sha256(toCanonicalJson(facts.questions))) {
      return {
        question: asked,
        keep: () => {},
        answer: async () => toAnswers(asked, resumed.decision),
      };
    }
    const question = storeOrRefuse(() => storeQuestions(facts));
    return wait(question, request, (decision) => {
      use(question, decision, inbox);
      return toAnswers(question, decision);
    });
  };
  return {
    headless: false,
    inbox,
    workspace,
    open,
    openQuestions,
    resume: async (id, callId, signal) => {
      inbox.hold(id);
      const decision = await inbox.whenDecided(id, signal);
      const question = inbox.find(id)?.question;
      if (question === undefined) throw changed("The call");
      const answer = use(question, decision, inbox);
      note(callId, id);
      continued.set(callId, { id, answer, decision });
      return answer;
    },
    ask: async (request) => open(request).answer(),
    question: async (request) => openQuestions(request)?.answer() ?? headlessHost.question(request),
    follow: (session) => {
      const end = ({ callId, result }: EventMap["tool:post"]): void => {
        const ids = asked.get(callId);
        asked.delete(callId);
        continued.delete(callId);
        for (const id of ids ?? []) inbox.end(id, result);
      };
      session.on("tool:post", end);
      session.on("tool:error", end);
    },
  };
}

/** An approval of an earlier process that a call of this one uses. */
interface Continued {
  readonly id: string;
  readonly answer: AskAnswer;
  readonly decision: StoredDecision;
}

function toAnswers({ questions = [] }: StoredQuestion, decision: StoredDecision): string[][] {
  const { answers, reason } = decision;
  if (answers === undefined || answers.length !== questions.length) {
    const said = reason === undefined ? "" : ` ${reason}`;
    throw new ToolError("rejected-by-user", `The question was not answered.${said}`);
  }
  return answers.map((each) => [...each]);
}

/** Returns a decision that Haft itself takes. */
function byHaft(answer: "cancelled"): Parameters<SessionInbox["decide"]>[1] {
  return { answer, reason: undefined, by: "haft", via: "the call ended" };
}

function storeOrRefuse<T>(store: () => T): T {
  try {
    return store();
  } catch (error) {
    if (ToolError.isInstance(error)) throw error;
    const why = toErrorMessage(error);
    throw new ToolError(
      "unavailable",
      `Not run: this call waits for a person, and its question could not be stored: ${why}`,
    );
  }
}

const answers: Readonly<Record<StoredDecision["answer"], AskAnswer["answer"]>> = {
  once: "once",
  answered: "once",
  always: "session",
  project: "project",
  program: "program",
  no: "reject",
  stop: "stop",
  expired: "reject",
  cancelled: "reject",
};

function use(question: StoredQuestion, decision: StoredDecision, inbox: SessionInbox): AskAnswer {
  const { id, name, deadlineAt } = question;
  const { answer, by, via, at, reason, rules } = decision;
  if (answer === "cancelled") throw new ToolError("cancelled", `${name} was cancelled.`);
  const isLate = answer === "expired" || Date.now() > Date.parse(deadlineAt) + graceMs;
  if (isLate && question.questions !== undefined) {
    throw new ToolError(
      "rejected-by-user",
      `No person answered until ${deadlineAt} (haft inbox show ${id}). Continue with your best judgement.`,
    );
  }
  if (isLate) {
    throw new ToolError(
      "rejected-by-user",
      `Not run: this call needs approval, and no person gave it until ${deadlineAt} (haft inbox show ${id}).`,
    );
  }
  if (!inbox.claim(id)) {
    throw new ToolError("conflict", `Not run: the approval ${id} was used by another process.`);
  }
  return {
    answer: answers[answer],
    ...(rules !== undefined && { rules: rules.map(parseRule) }),
    ...(reason !== undefined && { reason: `The user rejected this call: ${reason}` }),
    approval: { id, answer, by, via, at },
  };
}

function changed(name: string): ToolError {
  return new ToolError(
    "conflict",
    `${name} was not run: since the user was asked, the rules, the files or what the call would do have changed. Make the call again.`,
  );
}

function sha256(text: string): string {
  return hash("sha256", text);
}
