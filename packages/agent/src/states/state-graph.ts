import type { OpenToolSource } from "@haft/connect";
import type { StateUse } from "@haft/connect/published";
import type { Cleanup } from "@haft/contract";
import type { Mode, SessionRole } from "@haft/core";

/** A conversation that moves from state to state, each with its own tools. */
export interface StateGraph {
  /** Name of the current state. */
  readonly state: string;
  /** Whether the current state lists tools for its exit condition and can be left. */
  readonly hasExitCondition: boolean;
  /** Whether the agent acts or judges if the state can be left. */
  readonly use: StateUse;
  /** The published tools of the current state and `enter_state`. */
  readonly source: OpenToolSource;
  /** Harmless problems of the file. */
  readonly warnings: readonly string[];
  /** Enters a state that the current one leads to. Its tools are available from the next turn on. Throws a `ToolError` for other states. */
  enter(name: string): void;
  /** Continues in the state that a session was in. Default, also if the graph no longer has it: the state to start in. */
  resume(name: string | undefined): void;
  /**
   * Makes the next turn judge whether an action state can be left, with the tools that the state lists for that.
   * Call the returned function to make the agent act again, unless the state was left.
   */
  evaluateExit(): () => void;
  /** Returns the session mode with the tools of the current state. */
  mode(): Mode;
  /** Returns the section of the system prompt for the current state. */
  instructions(): string;
  /** Makes a session follow the graph: on each change of state it assumes the new mode for its next turn. */
  follow(session: RoleTaker, role?: () => SessionRole): Cleanup;
}

/** A session, as far as it can change its role. */
export interface RoleTaker {
  assume(role: SessionRole): void;
}
