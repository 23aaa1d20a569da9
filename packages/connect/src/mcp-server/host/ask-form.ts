import {
  type AskAnswer,
  type AskRequest,
  formatRule,
  type RulePreview,
  showArguments,
  toVisibleLine,
} from "@haft/core";
import type { ElicitAnswer, ElicitForm } from "./elicit.ts";

const field = "decision";

/** The form in which a person decides about a call: what will run, why it is asked, what is stored. */
export async function toAskForm(request: AskRequest): Promise<ElicitForm> {
  const decisions = decisionsOn(request);
  return {
    mode: "form",
    message: describe(request, await request.wouldAllow())
      .map(toVisibleLine)
      .join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        [field]: {
          type: "string",
          title: "Decision",
          description: "Whether the call may run.",
          enum: [...decisions],
        },
      },
      required: [field],
    },
  };
}

/** What the person decided. Whatever is not clearly a yes is a no. */
export function fromAskAnswer(answer: ElicitAnswer, request: AskRequest): AskAnswer {
  if (answer.action === "cancel") return { answer: "reject", reason: undecided };
  if (answer.action !== "accept") return { answer: "reject" };
  const decision = decisionsOn(request).find((one) => one === answer.content?.[field]);
  return decision === undefined
    ? { answer: "reject", reason: undecided }
    : { answer: decision, rules: request.rules };
}

const undecided = "The user was asked about this call and did not decide. It was not run.";

// Without a rule to store there is nothing that could hold for longer.
function decisionsOn({ rules }: AskRequest): readonly AskAnswer["answer"][] {
  return rules.length === 0 ? ["once", "reject"] : ["once", "session", "project", "reject"];
}

function describe(request: AskRequest, { calls, count }: RulePreview): string[] {
  const { tool, reason, rules } = request;
  const always =
    rules.length === 0
      ? ["It can't be allowed for longer than once: it has to be looked at each time."]
      : [
          "session or project allow it always, and store:",
          ...rules.map((rule) => `  ${formatRule(rule)}`),
          ...(count === 0 ? [] : [`which would have allowed ${count} of ${calls} calls so far.`]),
        ];
  return [
    `${tool} wants to run (${reason}):`,
    "",
    ...showArguments(request.arguments),
    "",
    ...always,
  ];
}
