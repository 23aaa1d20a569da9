import type { StateGraph } from "./state-graph.ts";

/** Has the agent judge in each turn whether the state can be left. */
export interface ExitJudge {
  /** Begins a turn: the agent acts, and each state can be judged again. */
  startTurn(): void;
  /** Returns the task to judge the current state, or `undefined` if the turn can end. */
  beforeEnd(): string | undefined;
}

/** Creates the judge of a graph. A state is judged once per turn, when the agent has nothing more to do in it. */
export function createExitJudge(graph: StateGraph): ExitJudge {
  const judged = new Set<string>();
  let actAgain = (): void => {};
  return {
    startTurn: () => {
      actAgain();
      judged.clear();
    },
    beforeEnd: () => {
      const { state, hasExitCondition } = graph;
      actAgain();
      if (!hasExitCondition || judged.has(state)) return undefined;
      judged.add(state);
      actAgain = graph.evaluateExit();
      return `Judge whether the state ${JSON.stringify(state)} can be left. If so, call enter_state.`;
    },
  };
}
