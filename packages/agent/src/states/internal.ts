// For Haft's own packages. Unsupported: it changes without notice.

export { openStateGraph, type StateGraphOptions } from "./open-state-graph.ts";
export { isStateGraph, readStateGraph } from "./read-state-graph.ts";
export type { RoleTaker, StateGraph } from "./state-graph.ts";
export type { GraphState, StateGraphFile } from "./state-graph-file.ts";
