import type { InboxAnswer } from "@haft/computer/internal";
import { clipText, isPlainObject } from "@haft/contract/internal";
import type { AskAnswer, AskRequest, Rule, RulePreview } from "@haft/core";
import {
  describeChange,
  formatRule,
  showArguments,
  showChanges,
  toVisibleLine,
} from "@haft/core/internal";
import type { ElicitAnswer, ElicitForm } from "./elicit.ts";

const field = "decision";

/** The question in the inbox that a form asks, too. */
export interface FormQuestion {
  readonly id: string;
  sign(text: string): string;
}

/** Makes the approval form of a call: what will run, why approval is needed, which rules are stored. */
export async function toAskForm(request: AskRequest, question?: FormQuestion): Promise<ElicitForm> {
  const decisions = decisionsOn(request);
  const text = describe(request, await request.wouldAllow())
    .map(toVisibleLine)
    .join("\n");
  return {
    mode: "form",
    message: question === undefined ? text : addReference(text, question),
    requestedSchema: {
      type: "object",
      properties: {
        [field]: {
          type: "string",
          title: "Decision",
          description:
            request.effects === undefined
              ? "Whether the call may run."
              : "Whether the changes of the command are applied.",
          enum: [...decisions],
          default: "once",
        },
      },
      required: [field],
    },
  };
}

/** Adds the ID of the question, signed with the text, so that a hook can tell that the form is Haft's. */
export function addReference(text: string, { id, sign }: FormQuestion): string {
  return `${text}\n\nIn the inbox: ${id} ${sign(`${id} ${text}`).slice(0, signatureLength)}`;
}

const signatureLength = 32;

/** Returns the ID of the question that a form is about, if a process of this user made the form. */
export function findReference(message: string, sign: FormQuestion["sign"]): string | undefined {
  const [, text = "", id = "", signature] =
    /^([\s\S]*)\n\nIn the inbox: ([0-9a-f]{32}) ([0-9a-f]{32})$/u.exec(message) ?? [];
  return signature === sign(`${id} ${text}`).slice(0, signatureLength) ? id : undefined;
}

/** Converts an answer of the inbox to the content of a form. */
export function toFormContent(answer: InboxAnswer): Readonly<Record<string, string>> {
  const decision = Object.entries(inboxAnswers).find(([, one]) => one === answer)?.[0];
  return { [field]: decision ?? "reject" };
}

const inboxAnswers: Readonly<Partial<Record<AskAnswer["answer"], InboxAnswer>>> = {
  once: "once",
  session: "always",
  project: "project",
  program: "program",
  reject: "no",
  stop: "stop",
};

/** Converts the answer to a form to one of the inbox; `undefined` if the person did not decide. */
export function toInboxDecision(
  { action, content }: ElicitAnswer,
  offered: readonly InboxAnswer[],
): InboxAnswer | undefined {
  if (action === "decline") return "no";
  if (action !== "accept") return undefined;
  const chosen = Object.entries(inboxAnswers).find(([decision]) => decision === content?.[field]);
  return offered.find((one) => one === chosen?.[1]);
}

/** Reads the decision. Anything that is not clearly an approval is a rejection. */
export function fromAskAnswer(answer: ElicitAnswer, request: AskRequest): AskAnswer {
  if (answer.action === "cancel") return { answer: "reject", reason: undecided };
  if (answer.action !== "accept") return { answer: "reject" };
  const decision = decisionsOn(request).find((one) => one === answer.content?.[field]);
  return decision === undefined
    ? { answer: "reject", reason: undecided }
    : { answer: decision, rules: rulesOf(request, decision) };
}

const undecided = "The user was asked to approve this and did not decide.";

// Without a rule to store, an approval can only be for this call.
function decisionsOn({ rules, program }: AskRequest): readonly AskAnswer["answer"][] {
  const always = rules.length === 0 ? [] : (["session", "project"] as const);
  if (program === undefined) return ["once", ...always, "reject"];
  return [
    "once",
    ...(program.rules.length === 0 ? [] : ["program" as const]),
    ...always,
    "reject",
    "stop",
  ];
}

function rulesOf({ rules, program }: AskRequest, decision: AskAnswer["answer"]): readonly Rule[] {
  return decision === "program" && program !== undefined ? program.rules : rules;
}

function describe(request: AskRequest, { calls, count }: RulePreview): string[] {
  const { tool, reason, rules } = request;
  const always =
    rules.length === 0
      ? ["This call must be approved each time."]
      : [
          "session or project always allow it and store:",
          ...rules.map((rule) => `  ${formatRule(rule)}`),
          ...(count === 0
            ? []
            : [`These rules would have allowed ${count} of ${calls} calls so far.`]),
        ];
  const { effects, program } = request;
  const inProgram =
    program === undefined
      ? []
      : [
          ...(program.rules.length === 0
            ? []
            : [
                "program allows until this program ends:",
                ...program.rules.map((rule) => `  ${formatRule(rule)}`),
              ]),
          "stop rejects the call and ends the program.",
        ];
  const why =
    effects === undefined
      ? `It needs approval: ${reason}.`
      : "It has run. These changes need approval before they are applied.";
  return [
    `${tool}: ${clipText(summarize(request), maxSummaryLength)}`,
    why,
    "",
    ...showArguments(request.arguments),
    "",
    ...(effects === undefined ? [] : [...showChanges(effects), ""]),
    ...always,
    ...inProgram,
  ];
}

const maxSummaryLength = 300;

// Some clients show only two lines of a form, so the first says what would change.
function summarize({ arguments: args, effects }: AskRequest): string {
  if (effects !== undefined) {
    const changes = effects.changes.map((change) => describeChange(change).replace(/ +/u, " "));
    return `${changes.join(", ")}${effects.total > changes.length ? `, … ${effects.total} in all` : ""}`;
  }
  if (!isPlainObject(args)) return JSON.stringify(args);
  const { command, path, old_string: before, new_string: after, content, ...rest } = args;
  const parts = [
    ...(command === undefined ? [] : [show(command)]),
    ...(path === undefined ? [] : [show(path)]),
    ...(before === undefined ? [] : [`- ${show(before)}`]),
    ...(after === undefined ? [] : [`+ ${show(after)}`]),
    ...(content === undefined ? [] : [`= ${show(content)}`]),
    ...Object.entries(rest).map(([name, value]) => `${name}: ${show(value)}`),
  ];
  return parts.join("  ");
}

function show(value: unknown): string {
  return typeof value === "string" ? value.trimEnd() : JSON.stringify(value);
}
