import type { StateUse } from "@haft/connect/published";
import type { GraphState } from "./state-graph-file.ts";

/** What is shown of a state beside what its file says. */
export interface StateSituation {
  readonly use: StateUse;
  /** The name of the tool that a tool-call state is about, if it is there. */
  readonly designated?: string | undefined;
}

/** The part of a system prompt that says what the agent is to do in a state. */
export function describeState(state: GraphState, { use, designated }: StateSituation): string {
  const { name, type, objective = "", instructions = "", next } = state;
  const leaving =
    next.length === 0
      ? "It is the last one: no other state can be entered from here."
      : `When that is done, go on with \`enter_state\`: ${next.join(", ")}.`;
  return [
    `# The present state: ${name}`,
    use === "exit-condition" ? exitTask : tasks[type],
    designated === undefined ? "" : `The tool to be called is \`${designated}\`.`,
    objective === "" ? "" : `Objective: ${objective.trim()}`,
    instructions.trim(),
    leaving,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const tasks: Readonly<Record<GraphState["type"], string>> = {
  action: "In this state you act: do what the objective asks for, with the tools that are there.",
  decision:
    "In this state you decide which state comes next. The tools that are there help you decide; act on nothing yet.",
  reflection:
    "In this state you think over what has happened. The tools that are there help you see it; act on nothing yet.",
  "tool-call":
    "In this state one tool is to be called. Find its arguments with the help of the others, then call it.",
};

const exitTask =
  "Judge now whether this state can be left. The tools that are there help you judge; act on nothing in this turn. If it can't be left, say why.";
