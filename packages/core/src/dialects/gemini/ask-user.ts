import type { DialectAlias } from "../dialect.ts";
import { answersOf, toQuestionArguments } from "../shared/question-arguments.ts";
import { questionParameters } from "../shared/question-parameters.ts";

/** `ask_user`: questions to the person. */
export const askUser: DialectAlias = {
  name: "ask_user",
  tool: "question",
  description: [
    "Asks the person up to four questions and waits for the answers, which may be in their own words.",
    "Use it where a wrong guess would cost much. The answers come under the number of the question, counted from 0.",
  ].join(" "),
  parameters: questionParameters({
    most: 4,
    properties: {
      type: {
        enum: ["choice", "text", "yesno"],
        description: "One of the options, free text, or yes or no.",
      },
      multiSelect: { type: "boolean", description: "Several may be chosen." },
    },
  }),
  toArguments: toQuestionArguments,
  toData: (data) => {
    const named = answersOf(data).map((answers, at) => [String(at), answers.join(", ")]);
    return JSON.stringify({ answers: Object.fromEntries(named) });
  },
};
