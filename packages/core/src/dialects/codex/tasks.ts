import type { DialectAlias } from "../dialect.ts";
import {
  answersOf,
  givenQuestions,
  questionParameters,
  toQuestionArguments,
} from "../shared/questions.ts";
import { countTodos } from "../shared/todos.ts";

/** `update_plan`: replaces the session's task list. */
export const updatePlan: DialectAlias = {
  name: "update_plan",
  tool: "todo",
  description:
    "Replaces the plan of this session: its steps in order, each with a status. It only records the plan and does not carry it out.",
  parameters: {
    type: "object",
    properties: {
      explanation: { type: "string", description: "Why the plan changes." },
      plan: {
        type: "array",
        maxItems: 200,
        description: "The whole plan.",
        items: {
          type: "object",
          properties: {
            step: { type: "string", minLength: 1, description: "What to do." },
            status: { enum: ["pending", "in_progress", "completed"] },
          },
          required: ["step", "status"],
        },
      },
    },
    required: ["plan"],
  },
  toArguments: ({ plan }) => ({
    todos: (plan as readonly Step[]).map(({ step, status }) => ({ content: step, status })),
  }),
  toData: (data) => `The plan was updated: ${countTodos(data)}.`,
};

interface Step {
  readonly step: string;
  readonly status: string;
}

/** `request_user_input`: asks the user questions. */
export const requestUserInput: DialectAlias = {
  name: "request_user_input",
  tool: "question",
  description: [
    "Asks the user one to three short questions and waits for the answers, which may be free text.",
    "Use it if a wrong guess would be costly.",
  ].join(" "),
  parameters: questionParameters({
    maxQuestions: 10,
    properties: { id: { type: "string", description: "Key of the answers in the result." } },
    required: ["id"],
  }),
  toArguments: toQuestionArguments,
  toData: (data, _args, { given }) => {
    const questions = givenQuestions(given);
    const named = answersOf(data).map((answers, at) => [questions[at]?.id ?? at, { answers }]);
    return JSON.stringify({ answers: Object.fromEntries(named) });
  },
};
