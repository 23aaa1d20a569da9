import type { DialectAlias } from "../dialect.ts";
import { answersOf, givenQuestions, toQuestionArguments } from "../shared/question-arguments.ts";

/** `request_user_input`: questions to the person. */
export const requestUserInput: DialectAlias = {
  name: "request_user_input",
  tool: "question",
  description: [
    "Asks the person one to three short questions and waits for the answers, which may be in their own words.",
    "Use it where a wrong guess would cost much.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 10,
        items: {
          type: "object",
          properties: {
            id: { type: "string", description: "The answers come under this name." },
            header: { type: "string", description: "What it is about, in a word or two." },
            question: { type: "string", minLength: 1, description: "The question, in full." },
            options: {
              type: "array",
              description: "Answers to choose from.",
              items: {
                type: "object",
                properties: {
                  label: { type: "string", minLength: 1, description: "The answer." },
                  description: { type: "string", description: "What it would mean." },
                },
                required: ["label"],
              },
            },
          },
          required: ["id", "question"],
        },
      },
    },
    required: ["questions"],
  },
  toArguments: toQuestionArguments,
  toData: (data, _args, { given }) => {
    const questions = givenQuestions(given);
    const named = answersOf(data).map((answers, at) => [questions[at]?.id ?? at, { answers }]);
    return JSON.stringify({ answers: Object.fromEntries(named) });
  },
};
