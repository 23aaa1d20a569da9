import type { JsonValue } from "@haft/contract";
import type { AskedChange } from "@haft/core";
import { describeChange } from "@haft/core/internal";
import { listAnswers } from "./answer-question.ts";
import type { InboxEntry, StoredDecision } from "./inbox-item.ts";
import {
  type AnswerSchema,
  describeQuestions,
  toAnswerSchema,
  toSentAnswers,
} from "./question-answers.ts";
import { mayEditRules } from "./read-edited-rules.ts";

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
  readonly call: SessionItemCall;
}

/** What a person reads about a call of a session before answering. */
export interface SessionItemCall {
  readonly name: string;
  readonly workspace: string;
  /** The command that asks, such as `haft mcp`. */
  readonly asker: string;
  /** Why approval is needed. */
  readonly reason: string;
  /** The rules that "always" and "project" store. Empty if the call needs approval each time. */
  readonly rules: string[];
  /** Whether other rules can be stored instead. */
  readonly may_edit_rules: boolean;
  /** What a command that has run would change. */
  readonly effects: {
    readonly changes: {
      readonly path: string;
      readonly kind: AskedChange["kind"];
      /** For a directory: the number of its files. */
      readonly files: number | null;
    }[];
    readonly total: number;
    readonly diff: string;
  } | null;
  /** Whether a program makes the call. */
  readonly is_nested: boolean;
  /** Whether the process that asked still waits. */
  readonly is_held: boolean;
  /** For a call that writes a file: the text that it replaces, where one item is shown. Null if it is not known. */
  readonly current_text: string | null;
  /** The rules that the answer stored. */
  readonly stored_rules: string[] | null;
  /** What the model is told about a rejection. */
  readonly rejection: string | null;
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
    call: toCall(entry),
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

function toCall({ question, decision, isHeld }: InboxEntry): SessionItemCall {
  const { name, workspace, asker, reason, rules, effects, isNested } = question;
  const { answer, rules: edited = rules } = decision ?? {};
  const isStored = answer === "always" || answer === "project";
  return {
    ...{ name, workspace, asker, reason, rules: [...rules] },
    may_edit_rules: mayEditRules(question),
    effects:
      effects === undefined
        ? null
        : {
            changes: effects.changes.map(({ path, kind, files = null }) => ({ path, kind, files })),
            ...{ total: effects.total, diff: effects.diff },
          },
    ...{ is_nested: isNested, is_held: isHeld, current_text: null },
    stored_rules: isStored ? [...edited] : null,
    rejection: decision?.reason ?? null,
  };
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
