import type { DialectAlias } from "../dialect.ts";

/** `Task`: another agent, of one of the kinds that the tool lists. */
export const task: DialectAlias = {
  name: "Task",
  tool: "task",
  parameters: {
    type: "object",
    properties: {
      description: { type: "string", description: "The task in a few words." },
      prompt: { type: "string", minLength: 1, description: "The whole task." },
      subagent_type: {
        type: "string",
        minLength: 1,
        description: "Which agent; general-purpose for one that can do everything.",
      },
      run_in_background: {
        type: "boolean",
        description: "Go on at once; the end is told. task_output shows how far it is.",
      },
    },
    required: ["prompt", "subagent_type"],
  },
  toArguments: ({ description, prompt, subagent_type, run_in_background }) => ({
    subagent_type: subagent_type === "general-purpose" ? "general" : subagent_type,
    prompt,
    ...(description !== undefined && { description }),
    ...(run_in_background !== undefined && { background: run_in_background }),
  }),
};

/** `Skill`: loads one by its name. */
export const skill: DialectAlias = {
  name: "Skill",
  tool: "skill",
  parameters: {
    type: "object",
    properties: {
      skill: { type: "string", minLength: 1, description: "The skill's name." },
    },
    required: ["skill"],
  },
  toArguments: ({ skill: name }) => ({ name }),
};

/** `ExitPlanMode`: asks the person whether the plan is to be carried out. */
export const exitPlanMode: DialectAlias = { name: "ExitPlanMode", tool: "plan_exit" };
