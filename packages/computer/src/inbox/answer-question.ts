import { toErrorMessage } from "@haft/contract/internal";
import { formatRule } from "@haft/core/internal";
import type { InboxAnswer, InboxEntry } from "./inbox-item.ts";
import type { NewDecision, SessionInbox } from "./open-inbox.ts";
import { readAnswers } from "./question-answers.ts";
import { readEditedRules } from "./read-edited-rules.ts";

/** An answer of a person. */
export interface GivenAnswer {
  readonly answer: unknown;
  /** For the model, if the answer is no. */
  readonly reason?: string | undefined;
  /** Rules to store instead of the proposed ones, as lines. */
  readonly rules?: readonly string[] | undefined;
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
  { answer, reason, rules, by, via }: GivenAnswer,
): RefusedAnswer | { readonly entry: InboxEntry; readonly refused?: undefined } {
  const entry = inbox.find(id);
  if (entry === undefined) return { refused: "missing", why: `There is no question ${id}.` };
  if (entry.state !== "waiting") return { refused: "late", why: describeDecided(entry) };
  const { questions } = entry.question;
  if (questions !== undefined) {
    const answers = readAnswers(questions, answer);
    if (typeof answers === "string") return { refused: "invalid", why: answers };
    if (reason !== undefined || rules !== undefined) {
      return { refused: "invalid", why: "A reason and rules are for approvals." };
    }
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
  if (rules !== undefined && chosen !== "always" && chosen !== "project") {
    return { refused: "invalid", why: "Rules are for the answers always and project." };
  }
  const edited = readEdited(entry, rules);
  if (typeof edited === "string") return { refused: "invalid", why: edited };
  return decide(inbox, entry, { answer: chosen, reason, rules: edited, by, via });
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

/** Returns the rules as they are stored, or what is wrong with them. */
function readEdited(
  { question }: InboxEntry,
  rules: readonly string[] | undefined,
): readonly string[] | undefined | string {
  try {
    return rules && readEditedRules(question, rules).map(formatRule);
  } catch (error) {
    return toErrorMessage(error);
  }
}

function describeDecided({ state, decision, question }: InboxEntry): string {
  if (state === "expired") return `Its deadline has passed (${question.deadlineAt}).`;
  if (state === "cancelled") return "What waited for the answer has ended.";
  const { by = "", at = "", answer = "", via = "" } = decision ?? {};
  return `${by} answered ${answer} at ${at} by ${via}. That answer counts.`;
}
