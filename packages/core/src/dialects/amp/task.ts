import type { DialectAlias } from "../dialect.ts";

/** `Task`: somebody who can do everything, and says at the end what came of it. */
export const task: DialectAlias = {
  name: "Task",
  tool: "task",
  description:
    "Has another agent do a piece of work that can be described in full, with the same tools and without what was said here, and returns what it says at the end. Several can work at once.",
  parameters: {
    type: "object",
    properties: {
      prompt: {
        type: "string",
        minLength: 1,
        description: "The whole task: what to do, what to know, what to return.",
      },
      description: { type: "string", description: "The task in a few words, for the person." },
    },
    required: ["prompt"],
  },
  toArguments: ({ prompt, description }) => ({
    subagent_type: "general",
    prompt,
    ...(description !== undefined && { description }),
  }),
};
