import type { DialectAlias } from "../dialect.ts";
import { toolSearch as sharedToolSearch } from "../shared/agents.ts";
import { givenCount, leaveOut } from "../shared/given.ts";

/** `Task`: runs a subagent of one of the types that the tool lists. */
export const task: DialectAlias = {
  name: "Task",
  tool: "task",
  parameters: {
    type: "object",
    properties: {
      description: { type: "string", description: "The task in a few words, shown to the user." },
      prompt: {
        type: "string",
        minLength: 1,
        description: "The whole task. The subagent does not see this conversation.",
      },
      subagent_type: {
        type: "string",
        minLength: 1,
        description: "Type of subagent. Use general-purpose for a subagent with all tools.",
      },
      run_in_background: {
        type: "boolean",
        description:
          "Run in the background. You are notified when it finishes; TaskOutput shows progress.",
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

/** `Skill`: loads a skill by name. */
export const skill: DialectAlias = {
  name: "Skill",
  tool: "skill",
  parameters: {
    type: "object",
    properties: {
      skill: { type: "string", minLength: 1, description: "Name of the skill." },
    },
    required: ["skill"],
  },
  toArguments: ({ skill: name }) => ({ name }),
};

/** `ExitPlanMode`: asks the user to approve the plan. */
export const exitPlanMode: DialectAlias = { name: "ExitPlanMode", tool: "plan_exit" };

/** `ToolSearch`: finds tools that are not shown yet. */
export const toolSearch: DialectAlias = {
  ...sharedToolSearch,
  name: "ToolSearch",
  description: [
    "Finds tools that are not shown yet, such as those of MCP servers, by name or purpose.",
    "The tools it finds can be called from the next step on. `select:a,b` selects tools by their exact names.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        description: "Search words, or `select:` followed by names.",
      },
      max_results: { type: "number", description: "Maximum number of results. Default: 10." },
    },
    required: ["query"],
  },
  toArguments: ({ query, max_results }) => {
    const limit = givenCount(max_results, 1);
    return leaveOut({ query, limit: limit === undefined ? undefined : Math.min(10, limit) });
  },
};
