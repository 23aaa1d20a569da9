import type { DialectAlias } from "../dialect.ts";
import { countTodos } from "../shared/todo-data.ts";

/** `update_plan`: the session's list of tasks. */
export const updatePlan: DialectAlias = {
  name: "update_plan",
  tool: "todo",
  description:
    "Replaces the plan of this session: its steps in order, each with how far it is. It only remembers: it does no step.",
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
            step: { type: "string", minLength: 1, description: "What is to be done." },
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
  toData: (data) => `The plan is updated: ${countTodos(data)}.`,
};

interface Step {
  readonly step: string;
  readonly status: string;
}
