import type { JsonValue } from "@haft/contract";
import { describeChange } from "@haft/core/internal";
import type { InboxAnswer, InboxEntry, StoredDecision } from "./inbox-item.ts";
import type { NewDecision, SessionInbox } from "./open-inbox.ts";
import {
  type AnswerSchema,
  describeQuestions,
  readAnswers,
  toAnswerSchema,
  toSentAnswers,
} from "./question-answers.ts";

/** An answer of a person. */
export interface GivenAnswer {
  readonly answer: unknown;
  /** For the model, if the answer is no. */
  readonly reason?: string | undefined;
  /** The user who answers. */
  readonly by: string;
  /** How, such as `haft inbox`. `HTTP` and `link` mean a server of this machine. */
  readonly via: string;
}

/** Why an answer was not accepted. */
export interface RefusedAnswer {
  /** `missing`: there is no such question. `late`: it has been decided. `invalid`: it is not one of the answers. */
  readonly refused: "missing" | "late" | "invalid";
  readonly why: string;
}

const maxReasonLength = 2_000;

/** Answers a question. The first answer counts; a later one is refused. */
export function answerQuestion(
  inbox: SessionInbox,
  id: string,
  { answer, reason, by, via }: GivenAnswer,
): RefusedAnswer | { readonly entry: InboxEntry; readonly refused?: undefined } {
  const entry = inbox.find(id);
  if (entry === undefined) return { refused: "missing", why: `There is no question ${id}.` };
  if (entry.state !== "waiting") return { refused: "late", why: describeDecided(entry) };
  const { questions } = entry.question;
  if (questions !== undefined) {
    const answers = readAnswers(questions, answer);
    if (typeof answers === "string") return { refused: "invalid", why: answers };
    if (reason !== undefined) return { refused: "invalid", why: "A reason is for approvals." };
    return decide(inbox, entry, { answer: "answered", answers, reason, by, via });
  }
  const offered = listAnswers(entry);
  const chosen = offered.find((one) => one === answer);
  if (chosen === undefined) {
    const isRule = answer === "always" || answer === "project";
    const why = isRule ? "No rule can allow this call, so it needs approval each time. " : "";
    return {
      refused: "invalid",
      why: `${why}Answer with ${offered.join(", ")}, not ${JSON.stringify(answer) ?? "nothing"}.`,
    };
  }
  if (reason !== undefined && (chosen !== "no" || reason.length > maxReasonLength)) {
    const why = `A reason is for the answer no, with at most ${maxReasonLength} characters.`;
    return { refused: "invalid", why };
  }
  return decide(inbox, entry, { answer: chosen, reason, by, via });
}

function decide(
  inbox: SessionInbox,
  entry: InboxEntry,
  decision: NewDecision,
): ReturnType<typeof answerQuestion> {
  const { id } = entry.question;
  const isFirst = inbox.decide(id, decision);
  const decided = inbox.find(id) ?? entry;
  return isFirst ? { entry: decided } : { refused: "late", why: describeDecided(decided) };
}

/** Returns the answers that a question about an approval has. */
export function listAnswers({ question }: Pick<InboxEntry, "question">): readonly InboxAnswer[] {
  const { rules, isNested } = question;
  return [
    "once",
    ...(rules.length === 0 ? [] : (["always", "project"] as const)),
    ...(isNested && rules.length > 0 ? ["program" as const] : []),
    "no",
    ...(isNested ? ["stop" as const] : []),
  ];
}

function describeDecided({ state, decision, question }: InboxEntry): string {
  if (state === "expired") return `Its deadline has passed (${question.deadlineAt}).`;
  if (state === "cancelled") return "What waited for the answer has ended.";
  const { by = "", at = "", answer = "", via = "" } = decision ?? {};
  return `${by} answered ${answer} at ${at} by ${via}. That answer counts.`;
}

/** A question in the form in which the platform's API shows items of an inbox. */
export interface SessionItem {
  readonly id: string;
  readonly kind: "approval" | "question";
  readonly state: InboxEntry["state"];
  readonly source: { readonly type: "session"; readonly id: string };
  readonly tool_id: null;
  readonly tool_name: string;
  readonly tool_version: null;
  readonly arguments: JsonValue;
  readonly question: string;
  readonly schema: AnswerSchema;
  readonly answerers: null;
  readonly user_id: string;
  readonly created_at: string;
  readonly deadline_at: string;
  readonly answered_at: string | null;
  readonly answered_by: string | null;
  /** `machine`: at the machine of the session, not over HTTP. */
  readonly answered_via: "api" | "link" | "machine" | null;
  readonly on_behalf_of: null;
  readonly answer: JsonValue;
}

const viaServer: Readonly<Record<string, "api" | "link">> = { HTTP: "api", link: "link" };

/** Converts a question to the form of the platform's API. */
export function toInboxItem(entry: InboxEntry): SessionItem {
  const { question: asked, decision, state } = entry;
  const isAnswered = state === "answered" && decision !== undefined;
  return {
    ...{ id: asked.id, kind: asked.questions === undefined ? "approval" : "question", state },
    user_id: asked.user,
    source: { type: "session", id: asked.session },
    ...{ tool_id: null, tool_name: asked.tool, tool_version: null },
    arguments: asked.arguments,
    question: describeQuestion(entry),
    schema:
      asked.questions === undefined
        ? { type: "string", enum: [...listAnswers(entry)] }
        : toAnswerSchema(asked.questions),
    answerers: null,
    ...{ created_at: asked.createdAt, deadline_at: asked.deadlineAt },
    answered_at: isAnswered ? decision.at : null,
    answered_by: isAnswered ? decision.by : null,
    answered_via: isAnswered ? (viaServer[decision.via] ?? "machine") : null,
    on_behalf_of: null,
    answer: isAnswered ? toAnswer(asked, decision) : null,
  };
}

function toAnswer(
  { questions }: InboxEntry["question"],
  { answer, answers }: StoredDecision,
): JsonValue {
  return questions === undefined || answers === undefined
    ? answer
    : toSentAnswers(questions, answers);
}

function describeQuestion({ question: asked }: InboxEntry): string {
  const { effects, rules, questions } = asked;
  if (questions !== undefined) return describeQuestions(questions);
  const what =
    effects === undefined
      ? `${asked.name} needs approval in ${asked.workspace}: ${asked.reason}.`
      : `${asked.name} has run in ${asked.workspace}. These changes need approval: ${effects.changes
          .map((change) => describeChange(change).trim())
          .join(", ")}.`;
  const always = rules.length === 0 ? "" : ` "always" stores: ${rules.join("; ")}.`;
  return `${what}${always}`;
}
