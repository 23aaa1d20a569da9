import type { DialectAlias } from "../dialect.ts";
import {
  answersOf,
  givenQuestions,
  questionParameters,
  toQuestionArguments,
} from "../shared/questions.ts";

/** `AskUserQuestion`: asks the user questions. */
export const askUserQuestion: DialectAlias = {
  name: "AskUserQuestion",
  tool: "question",
  description: [
    "Asks the user up to four questions and waits for the answers. Any answer may be free text.",
    "Use it if a wrong guess would be costly, not for what you can find out yourself.",
  ].join(" "),
  parameters: questionParameters({
    maxQuestions: 4,
    properties: {
      multiSelect: { type: "boolean", description: "Allow several answers. Default: false." },
    },
  }),
  toArguments: toQuestionArguments,
  toData: (data, _args, { given }) => {
    const answers = answersOf(data);
    const lines = givenQuestions(given).map(({ question }, at) => {
      const given = answers[at] ?? [];
      return `${question}\n→ ${given.length === 0 ? "(no answer)" : given.join(", ")}`;
    });
    return `The user answered:\n${lines.join("\n")}`;
  },
};
