import type { DialectAlias } from "../dialect.ts";
import { answersOf, givenQuestions, toQuestionArguments } from "../shared/question-arguments.ts";
import { questionParameters } from "../shared/question-parameters.ts";

/** `request_user_input`: questions to the person. */
export const requestUserInput: DialectAlias = {
  name: "request_user_input",
  tool: "question",
  description: [
    "Asks the person one to three short questions and waits for the answers, which may be in their own words.",
    "Use it where a wrong guess would cost much.",
  ].join(" "),
  parameters: questionParameters({
    most: 10,
    properties: { id: { type: "string", description: "The answers come under this name." } },
    required: ["id"],
  }),
  toArguments: toQuestionArguments,
  toData: (data, _args, { given }) => {
    const questions = givenQuestions(given);
    const named = answersOf(data).map((answers, at) => [questions[at]?.id ?? at, { answers }]);
    return JSON.stringify({ answers: Object.fromEntries(named) });
  },
};
