import type { ConversationState } from "@haft/connect/published";

/** A state of a graph: what the agent should do, with which tools, and which states can follow. */
export interface GraphState {
  /** The state with the specs of its published tools. */
  readonly conversation: ConversationState;
  readonly name: string;
  readonly type: ConversationState["type"];
  /** The objective of the state. */
  readonly objective?: string | undefined;
  /** How to reach the objective. */
  readonly instructions?: string | undefined;
  /** The states that can be entered from it. */
  readonly next: readonly string[];
  /** Native tools that are available in it, by any of their names. */
  readonly tools: readonly string[];
  /** For a tool-call state: the tool to call, by its ID on the platform or its native name. */
  readonly toolId?: string | undefined;
}

/** The content of a state graph file. */
export interface StateGraphFile {
  readonly initial: string;
  readonly states: ReadonlyMap<string, GraphState>;
  /** Harmless problems, one sentence each. */
  readonly warnings: readonly string[];
}
