import type { StateUse } from "@haft/connect/published";
import type { GraphState } from "./state-graph-file.ts";

/** What is shown of a state in addition to its file. */
export interface StateSituation {
  readonly use: StateUse;
  /** Name of the tool that a tool-call state is about, if it is available. */
  readonly designated?: string | undefined;
}

/** Returns the section of the system prompt that describes the current state. */
export function describeState(state: GraphState, { use, designated }: StateSituation): string {
  const { name, type, objective = "", instructions = "", next } = state;
  const leaving =
    next.length === 0
      ? "This is a final state: no other state can be entered from here."
      : `When that is done, continue with \`enter_state\`: ${next.join(", ")}.`;
  return [
    `# Current state: ${name}`,
    use === "exit-condition" ? exitTask : tasks[type],
    designated === undefined ? "" : `The tool to call is \`${designated}\`.`,
    objective === "" ? "" : `Objective: ${objective.trim()}`,
    instructions.trim(),
    leaving,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const tasks: Readonly<Record<GraphState["type"], string>> = {
  action: "In this state you act: do what the objective asks for, with the available tools.",
  decision:
    "In this state you decide which state comes next. The available tools help you decide; do not act yet.",
  reflection:
    "In this state you reflect on what has happened. The available tools help you examine it; do not act yet.",
  "tool-call":
    "In this state you call one tool. Find its arguments with the help of the other tools, then call it.",
};

const exitTask =
  "Judge now whether this state can be left. The available tools help you judge; do not act in this turn. If it can't be left, say why.";
