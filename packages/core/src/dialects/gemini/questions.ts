import type { DialectAlias } from "../dialect.ts";
import { answersOf, questionParameters, toQuestionArguments } from "../shared/questions.ts";

/** `ask_user`: asks the user questions. */
export const askUser: DialectAlias = {
  name: "ask_user",
  tool: "question",
  description: [
    "Asks the user up to four questions and waits for the answers, which may be free text.",
    "Use it if a wrong guess would be costly. The answers are keyed by the index of the question, counted from 0.",
  ].join(" "),
  parameters: questionParameters({
    maxQuestions: 4,
    properties: {
      type: {
        enum: ["choice", "text", "yesno"],
        description:
          "choice: one of the options. text: free text. yesno: yes or no. Default: choice.",
      },
      multiSelect: { type: "boolean", description: "Allow several answers. Default: false." },
    },
  }),
  toArguments: toQuestionArguments,
  toData: (data) => {
    const named = answersOf(data).map((answers, at) => [String(at), answers.join(", ")]);
    return JSON.stringify({ answers: Object.fromEntries(named) });
  },
};
