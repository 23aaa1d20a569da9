import { defineTool, type Tool, ToolError } from "@haft/contract";
import type { GraphState } from "./state-graph-file.ts";

/** The arguments of `enter_state`. */
export interface EnterStateArguments {
  state: string;
  reason?: string;
}

/** What `enter_state` did. */
export interface EnterStateData {
  state: string;
  message: string;
}

/** What the tool needs of the graph that it belongs to. */
export interface StateDoor {
  /** The name of the state that the conversation is in now. */
  present(): string;
  enter(name: string): void;
}

/** Makes the tool that leads out of a state. Each state has one of its own, so that a turn can't go on by another's. */
export function createEnterStateTool(from: GraphState, door: StateDoor): Tool {
  const tool: Tool<EnterStateArguments, EnterStateData> = defineTool({
    id: "enter_state",
    description: [
      `Leaves the present state, ${JSON.stringify(from.name)}, for another one of the conversation.`,
      "The tools of the other state are there from the next turn on; those of this one are there until then.",
      "Enter one state a turn, and only when what this state is for has been reached.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        state: { type: "string", enum: [...from.next], description: "The state to enter." },
        reason: { type: "string", maxLength: 2_000, description: "Why, in a sentence." },
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
      if (signal.aborted) throw new ToolError("cancelled", "Entered nothing: aborted.");
      const present = door.present();
      if (present !== from.name) {
        throw new ToolError(
          "conflict",
          `The state ${JSON.stringify(from.name)} was left already in this turn, for ${JSON.stringify(present)}. Go on from there in the next turn.`,
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
