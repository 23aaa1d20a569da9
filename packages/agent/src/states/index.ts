export { isStateGraph } from "./is-state-graph.ts";
export { openStateGraph, type StateGraphOptions } from "./open-state-graph.ts";
export { readStateGraph } from "./read-state-graph.ts";
export type { RoleTaker, StateGraph } from "./state-graph.ts";
export type { GraphState, StateGraphFile } from "./state-graph-file.ts";
