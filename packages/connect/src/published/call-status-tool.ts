import { defineTool, type Tool, ToolError } from "@haft/contract";
import type { CallLog, LoggedCall } from "./call-log.ts";

interface StatusData {
  readonly calls: readonly LoggedCall[];
}

/** Creates the tool that reports the status of calls of published tools. Every state has it. */
export function createCallStatusTool(log: CallLog): Tool {
  const tool: Tool<{ tool_call_id?: string }, StatusData> = defineTool({
    id: "get_tool_call_status",
    description:
      "Reports the status of earlier calls of the organization's tools: in-progress, succeeded or failed, with the last status event of each. Returns immediately and does not wait for calls to finish.",
    parameters: {
      type: "object",
      properties: {
        tool_call_id: {
          type: "string",
          description: "ID of the call to report on. Default: all calls.",
        },
      },
      additionalProperties: false,
    },
    requires: {},
    kind: "read",
    source: "published",
    execution: { resourceKeys: () => [] },
    execute: async ({ tool_call_id }) => {
      if (tool_call_id === undefined) return { calls: log.list() };
      const call = log.find(tool_call_id);
      if (call !== undefined) return { calls: [call] };
      throw new ToolError(
        "not-found",
        `There is no call ${JSON.stringify(tool_call_id)}. Omit tool_call_id to list all calls.`,
      );
    },
  });
  return tool as Tool;
}
