import type { DialectAlias } from "../dialect.ts";

/** `Task`: runs a subagent, by default one with all tools. */
export const task: DialectAlias = {
  name: "Task",
  tool: "task",
  description:
    "Runs a subagent with the same tools on a task that can be described in full, and returns its final report. The subagent does not see this conversation. Several subagents can run at the same time.",
  parameters: {
    type: "object",
    properties: {
      prompt: {
        type: "string",
        minLength: 1,
        description: "The whole task: what to do, the necessary background, and what to return.",
      },
      description: { type: "string", description: "The task in a few words, shown to the user." },
      subagent_type: {
        type: "string",
        minLength: 1,
        description: "Name of the subagent, if the task is for a particular one.",
      },
    },
    required: ["prompt"],
  },
  toArguments: ({ prompt, description, subagent_type = "general" }) => ({
    subagent_type,
    prompt,
    ...(description !== undefined && { description }),
  }),
};
