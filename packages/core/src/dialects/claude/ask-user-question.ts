import type { DialectAlias } from "../dialect.ts";
import { answersOf, givenQuestions, toQuestionArguments } from "../shared/question-arguments.ts";

/** `AskUserQuestion`: questions to the person. */
export const askUserQuestion: DialectAlias = {
  name: "AskUserQuestion",
  tool: "question",
  description: [
    "Asks the person up to four questions and waits for the answers; any answer may be in their own words.",
    "Use it where a wrong guess would cost much, not for what you can find out yourself.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        items: {
          type: "object",
          properties: {
            question: { type: "string", minLength: 1, description: "The question, in full." },
            header: { type: "string", description: "What it is about, in a word or two." },
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
            multiSelect: { type: "boolean", description: "Several may be chosen." },
          },
          required: ["question"],
        },
      },
    },
    required: ["questions"],
  },
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
