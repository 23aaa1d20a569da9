import { defineTool, type Tool, ToolError } from "@haft/contract";
import type { GraphState } from "./state-graph-file.ts";

/** Arguments of `enter_state`. */
export interface EnterStateArguments {
  state: string;
  reason?: string;
}

/** Result of `enter_state`. */
export interface EnterStateData {
  state: string;
  message: string;
}

/** What the tool needs from its graph. */
export interface StateDoor {
  /** Returns the name of the current state. */
  present(): string;
  enter(name: string): void;
}

/** Creates the tool that leaves a state. Each state has its own, so that a turn can't use that of another state. */
export function createEnterStateTool(from: GraphState, door: StateDoor): Tool {
  const tool: Tool<EnterStateArguments, EnterStateData> = defineTool({
    id: "enter_state",
    description: [
      `Leaves the current state, ${JSON.stringify(from.name)}, for another state of the conversation.`,
      "The tools of the new state are available from the next turn on; those of the current state until then.",
      "Enter at most one state per turn, and only when the objective of the current state is reached.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        state: { type: "string", enum: [...from.next], description: "The state to enter." },
        reason: { type: "string", maxLength: 2_000, description: "Why, in one sentence." },
      },
      required: ["state"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { state: { type: "string" }, message: { type: "string" } },
      required: ["state", "message"],
      additionalProperties: false,
    },
    requires: {},
    kind: "think",
    source: "builtin",
    execution: { resourceKeys: () => [{ key: "state", mode: "write", type: "name" }] },
    execute: async ({ state }, { signal }) => {
      if (signal.aborted) throw new ToolError("cancelled", "Aborted before the state was entered.");
      const present = door.present();
      if (present !== from.name) {
        throw new ToolError(
          "conflict",
          `The state ${JSON.stringify(from.name)} was already left in this turn, for ${JSON.stringify(present)}. Continue from there in the next turn.`,
        );
      }
      door.enter(state);
      return {
        state,
        message: `You are in the state ${JSON.stringify(state)} from the next turn on.`,
      };
    },
  });
  return tool as Tool;
}
