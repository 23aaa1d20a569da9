import type { ConversationState } from "@haft/connect/published";

/** A state of a graph: what an agent is to do in it, with which tools, and where it can go from there. */
export interface GraphState {
  /** The state with the specs of its published tools. */
  readonly conversation: ConversationState;
  readonly name: string;
  readonly type: ConversationState["type"];
  /** What is to be reached in it. */
  readonly objective?: string | undefined;
  /** How. */
  readonly instructions?: string | undefined;
  /** The states that can be entered from it. */
  readonly next: readonly string[];
  /** Native tools that are there in it, by any of their names. */
  readonly tools: readonly string[];
  /** For a tool-call state: the tool that it is about, by its id on the platform or its native name. */
  readonly toolId?: string | undefined;
}

/** A graph of states as its file says. */
export interface StateGraphFile {
  readonly initial: string;
  readonly states: ReadonlyMap<string, GraphState>;
  /** What is odd about it and does no harm, each as a sentence. */
  readonly warnings: readonly string[];
}
