import { defineTool, type Tool, ToolError } from "@haft/contract";
import type { CellData } from "./cell.ts";
import { roomOf, toCellOptions } from "./cell-options.ts";
import type { Cells } from "./cells.ts";

/** Arguments of `code_output`. */
export interface CodeOutputArguments {
  cell_id: string;
  yield_time_ms?: number;
  max_tokens?: number;
  terminate?: boolean;
}

/** Creates the tool that waits for cells: programs that went on after the call that started them. */
export function createCodeOutputTool(cells: Cells): Tool<CodeOutputArguments, CellData> {
  return defineTool({
    id: "code_output",
    description:
      "Waits for a cell of `run_code` and returns what it has output since the last call. A cell that has ended is closed.",
    parameters: {
      type: "object",
      properties: {
        cell_id: { type: "string", description: "ID of the cell." },
        yield_time_ms: {
          type: "integer",
          minimum: 0,
          description: "Time to wait in milliseconds. Default: 10000.",
        },
        max_tokens: {
          type: "integer",
          minimum: 0,
          description: "Maximum number of output tokens. Default: 10000.",
        },
        terminate: { type: "boolean", description: "End the cell. Default: false." },
      },
      required: ["cell_id"],
      additionalProperties: false,
    },
    requires: {},
    kind: "execute",
    source: "builtin",
    isolation: "sandbox",
    timeoutMs: "none",
    // The calls of the cell must not wait for this one, nor this one for them.
    execution: { passive: true },
    execute: async (args, { callId, session, settings, signal }) => {
      const { cell, follow } = cells.find(session.id, args.cell_id);
      const { yieldMs, maxLength } = toCellOptions({
        yieldMs: args.yield_time_ms,
        maxTokens: args.max_tokens,
      });
      if (args.terminate === true) {
        cell.terminate();
        await cell.ended;
      }
      follow(callId);
      await cell.wait(yieldMs, signal);
      if (signal.aborted && cell.isRunning) {
        throw new ToolError("cancelled", `Stopped waiting for cell ${cell.id}. It still runs.`);
      }
      const data = cell.report(roomOf(maxLength, settings));
      if (data.status !== "running") cells.close(session.id, cell.id);
      return data;
    },
  });
}
