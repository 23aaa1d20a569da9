import { defineTool, type Tool } from "@haft/contract";
import { toPlainText } from "@haft/core/internal";
import { type ChildData, childOutput, childProperties } from "./child-data.ts";
import { findAgent } from "./find-agent.ts";
import { requireAnswer } from "./require-answer.ts";
import { spawnChild } from "./spawn-child.ts";
import type { SubagentPool } from "./subagent-pool.ts";

/** Arguments of an agent that is called as a tool. */
export interface AgentToolArguments {
  task: string;
  context?: string;
}

/** An agent that can be called by its name. */
export interface AgentToolFacts {
  readonly name: string;
  /** Called whenever the tool's description is read. */
  describe(): string;
}

const maxDescriptionLength = 2_000;

/** Creates a tool with the agent's name that runs the agent on one task. */
export function createAgentTool(
  { name, describe }: AgentToolFacts,
  pool: SubagentPool,
): Tool<AgentToolArguments, ChildData> {
  const tool: Tool<AgentToolArguments, ChildData> = defineTool({
    id: name,
    description: describe(),
    parameters: {
      type: "object",
      properties: {
        task: {
          type: "string",
          minLength: 1,
          pattern: "\\S",
          description: "It does not see this conversation.",
        },
        context: {
          type: "string",
          description: "Files, findings, what was tried.",
        },
      },
      required: ["task"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: childProperties,
      required: ["agent", "text", "steps", "reason"],
      additionalProperties: false,
    },
    requires: {},
    kind: "other",
    source: "builtin",
    timeoutMs: "none",
    maxOutput: childOutput,
    execution: { resourceKeys: () => [] },
    execute: async ({ task, context }, runtime) => {
      const manifest = findAgent(name, await pool.manifests());
      const prompt = context?.trim() ? `${task}\n\nWhat you should know:\n${context}` : task;
      const child = await spawnChild({ manifest, prompt }, runtime, pool);
      return requireAnswer(await child.run(runtime.signal));
    },
  });
  return {
    ...tool,
    get description() {
      return toPlainText(describe(), maxDescriptionLength);
    },
  };
}
