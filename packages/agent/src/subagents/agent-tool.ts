import { defineTool, type Tool } from "@haft/contract";
import { clipText } from "../loop/clip-text.ts";
import { type ChildData, childOutput, childProperties } from "./child-data.ts";
import type { Crew } from "./crew.ts";
import { findAgent } from "./find-agent.ts";
import { requireAnswer } from "./require-answer.ts";
import { spawnChild } from "./spawn-child.ts";

/** The arguments of an agent that is called as a tool. */
export interface AgentToolArguments {
  task: string;
  context?: string;
}

/** An agent that can be called by its name. */
export interface AgentToolFacts {
  readonly name: string;
  /** Asked whenever the tool's description is read. */
  describe(): string;
}

const longestDescription = 2_000;

/** A tool of the agent's own name, which has it do one task. */
export function createAgentTool(
  { name, describe }: AgentToolFacts,
  crew: Crew,
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
          description: "What it shall do or find out. It sees nothing of this talk.",
        },
        context: {
          type: "string",
          description: "What it should know for that: files, findings, what was tried.",
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
      const manifest = findAgent(name, await crew.manifests());
      const prompt = context?.trim() ? `${task}\n\nWhat you should know:\n${context}` : task;
      const child = await spawnChild({ manifest, prompt }, runtime, crew);
      return requireAnswer(await child.run(runtime.signal));
    },
  });
  return {
    ...tool,
    get description() {
      return clipText(describe(), longestDescription);
    },
  };
}
