import { defineTool, type Tool } from "@haft/contract";
import { toPlainText } from "@haft/core/internal";

/** A request to hand the conversation over to somebody else. */
export interface ForwardCallRequest {
  /** Who takes over, as the model names them: a team, a person or a number. */
  readonly destination: string;
  readonly reason?: string;
}

/** Hands the conversation over. Returns what the model is told. Throws to refuse. */
export type ForwardCall = (
  request: ForwardCallRequest,
  options: { readonly signal: AbortSignal },
) => Promise<string>;

/** Creates the tool that hands a conversation over to somebody else. Every state has it. */
export function createForwardCallTool(forward: ForwardCall): Tool {
  const tool: Tool<ForwardCallRequest, string> = defineTool({
    id: "forward_call",
    description:
      "Hands this conversation over to somebody else, such as a person or another team. Call it at the end of your part, and tell the user before.",
    parameters: {
      type: "object",
      properties: {
        destination: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Who takes over: a team, a person or a number.",
        },
        reason: { type: "string", maxLength: 2_000, description: "Why, in one sentence." },
      },
      required: ["destination"],
      additionalProperties: false,
    },
    requires: {},
    kind: "other",
    source: "published",
    execution: { resourceKeys: () => [{ type: "name", key: "conversation", mode: "write" }] },
    execute: async (request, { signal }) => toPlainText(await forward(request, { signal })),
  });
  return tool as Tool;
}
