import type { DialectAlias } from "../dialect.ts";
import { answersOf, givenQuestions, toQuestionArguments } from "../shared/question-arguments.ts";
import { questionParameters } from "../shared/question-parameters.ts";

/** `AskUserQuestion`: questions to the person. */
export const askUserQuestion: DialectAlias = {
  name: "AskUserQuestion",
  tool: "question",
  description: [
    "Asks the person up to four questions and waits for the answers; any answer may be in their own words.",
    "Use it where a wrong guess would cost much, not for what you can find out yourself.",
  ].join(" "),
  parameters: questionParameters({
    most: 4,
    properties: { multiSelect: { type: "boolean", description: "Several may be chosen." } },
  }),
  toArguments: toQuestionArguments,
  toData: (data, _args, { given }) => {
    const answers = answersOf(data);
    const lines = givenQuestions(given).map(({ question }, at) => {
      const given = answers[at] ?? [];
      return `${question}\n→ ${given.length === 0 ? "(no answer)" : given.join(", ")}`;
    });
    return `The person was asked:\n${lines.join("\n")}`;
  },
};
