import type { DialectAlias } from "../dialect.ts";
import { answersOf, toQuestionArguments } from "../shared/question-arguments.ts";

/** `ask_user`: questions to the person. */
export const askUser: DialectAlias = {
  name: "ask_user",
  tool: "question",
  description: [
    "Asks the person up to four questions and waits for the answers, which may be in their own words.",
    "Use it where a wrong guess would cost much. The answers come under the number of the question, counted from 0.",
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
            type: {
              enum: ["choice", "text", "yesno"],
              description: "One of the options, free text, or yes or no.",
            },
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
  toData: (data) => {
    const named = answersOf(data).map((answers, at) => [String(at), answers.join(", ")]);
    return JSON.stringify({ answers: Object.fromEntries(named) });
  },
};
