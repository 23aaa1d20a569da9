import { defineTool, type Tool, type ToolSource } from "@haft/contract";
import { type Host, headlessHost } from "@haft/core";

/** Says yes to every call. */
export const approving: Host = {
  headless: false,
  ask: async () => ({ answer: "once" }),
  question: headlessHost.question,
};

/** A tool that gives back what it gets. */
export function createEcho(id: string, source: ToolSource = "builtin"): Tool {
  return defineTool({
    id,
    description: "Gives back its text.",
    parameters: {
      type: "object",
      properties: { text: { type: "string", description: "The text." } },
      required: ["text"],
    },
    requires: {},
    kind: "other",
    source,
    execute: async ({ text }) => text,
  });
}
