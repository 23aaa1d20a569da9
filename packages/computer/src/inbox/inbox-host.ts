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
  open(request: AskRequest): OpenQuestion;
  /**
   * Waits for the answer to the question of an ended process and takes the right to run its call once, by a call
   * of this process with the given ID. Throws if it must not run.
   */
  resume(id: string, callId: string, signal: AbortSignal): Promise<AskAnswer>;
  /** Stores the results of the session's calls that waited. */
  follow(session: Pick<Session, "on">): void;
}

/** A question that this process waits for. */
export interface OpenQuestion {
  readonly question: StoredQuestion;
  /** Leaves the question in the inbox when the call is aborted. Default: it is cancelled. */
  keep(): void;
  answer(): Promise<AskAnswer>;
}

// An answer in the last moment counts, although it is read a little later.
const graceMs = 5_000;

/** Creates a host that stores its questions in an inbox and waits for the answers. */
export function createInboxHost(options: InboxHostOptions): InboxHost {
  const { inbox, workspace, asker, waitMs } = options;
  const continued = new Map<string, { readonly id: string; readonly answer: AskAnswer }>();
  const asked = new Map<string, Set<string>>();

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
    const orphan = facts.call && inbox.findOrphan(key);
    if (orphan !== undefined && isSame(orphan)) {
      inbox.hold(orphan.question.id);
      return orphan.question;
    }
    return inbox.add({
      ...{ deadlineAt: new Date(Date.now() + waitMs).toISOString(), workspace, session, asker },
      ...{ key, tool, name, arguments: args, reason, rules: rules.map(formatRule), effects },
      ...{ isNested: program !== undefined, call: facts.call, dialect: facts.dialect },
      ...{ shown, files: facts.files },
    });
  };
  const note = (callId: string, id: string): void => {
    asked.set(callId, (asked.get(callId) ?? new Set()).add(id));
  };
  const open = (request: AskRequest): OpenQuestion => {
    const question = storeOrRefuse(() => store(request));
    note(request.callId, question.id);
    const resumed = continued.get(request.callId);
    if (resumed === undefined) options.onWaiting?.(question);
    let isKept = false;
    return {
      question,
      keep: () => {
        isKept = true;
      },
      answer: async () => {
        const { id } = question;
        if (resumed !== undefined) return resumed.answer;
        const decision = await inbox.whenDecided(id, request.signal).catch((error) => {
          if (!isKept) inbox.decide(id, byHaft("cancelled"));
          throw error;
        });
        return use(question, decision, inbox);
      },
    };
  };
  return {
    headless: false,
    inbox,
    workspace,
    open,
    resume: async (id, callId, signal) => {
      inbox.hold(id);
      const decision = await inbox.whenDecided(id, signal);
      const question = inbox.find(id)?.question;
      if (question === undefined) throw changed("The call");
      const answer = use(question, decision, inbox);
      note(callId, id);
      continued.set(callId, { id, answer });
      return answer;
    },
    ask: async (request) => open(request).answer(),
    question: headlessHost.question,
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
      `Not run: this call needs approval, and its question could not be stored: ${why}`,
    );
  }
}

const answers: Readonly<Record<StoredDecision["answer"], AskAnswer["answer"]>> = {
  once: "once",
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
