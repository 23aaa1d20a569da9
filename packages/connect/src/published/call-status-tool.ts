import { defineTool, type Tool, ToolError } from "@haft/contract";
import type { BookedCall, CallBook } from "./call-book.ts";

interface StatusData {
  readonly calls: readonly BookedCall[];
}

/** The tool that tells how calls of published tools are getting on. It is there in every state. */
export function createCallStatusTool(book: CallBook): Tool {
  const tool: Tool<{ tool_call_id?: string }, StatusData> = defineTool({
    id: "get_tool_call_status",
    description:
      "Tells how earlier calls of the organization's tools are getting on: in progress, succeeded or failed, and what each last reported. Without tool_call_id it tells of all of them. It starts nothing and waits for nothing.",
    parameters: {
      type: "object",
      properties: {
        tool_call_id: { type: "string", description: "The call to ask about; all unless said." },
      },
      additionalProperties: false,
    },
    requires: {},
    kind: "read",
    source: "published",
    execution: { resourceKeys: () => [] },
    execute: async ({ tool_call_id }) => {
      if (tool_call_id === undefined) return { calls: book.list() };
      const call = book.find(tool_call_id);
      if (call !== undefined) return { calls: [call] };
      throw new ToolError("not-found", `No call ${JSON.stringify(tool_call_id)} is known here.`);
    },
  });
  return tool as Tool;
}
