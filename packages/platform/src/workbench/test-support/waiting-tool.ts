import { once } from "node:events";
import { defineTool, type Tool } from "@haft/contract";

/** A tool that runs until it is stopped. */
export interface WaitingTool {
  readonly tool: Tool;
  /** Resolves when its first call has begun. */
  readonly began: Promise<void>;
  /** Resolves when its first call was stopped. */
  readonly stopped: Promise<void>;
}

/** Makes the tool `wait`. */
export function createWaitingTool(): WaitingTool {
  const began = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const tool = defineTool({
    id: "wait",
    description: "Waits until it is stopped. Does nothing else.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
    requires: {},
    kind: "other",
    source: "builtin",
    timeoutMs: "none",
    execute: async (_args, { signal }) => {
      const aborted = once(signal, "abort");
      began.resolve();
      await aborted;
      stopped.resolve();
      throw new Error("stopped");
    },
  });
  return { tool: tool as Tool, began: began.promise, stopped: stopped.promise };
}
