import type { ToolSupply } from "@haft/connect";
import type { StateUse } from "@haft/connect/published";
import type { Cleanup } from "@haft/contract";
import type { Mode, SessionRole } from "@haft/core";

/** A conversation that goes from state to state, each with tools of its own. */
export interface StateGraph {
  /** The name of the present state. */
  readonly state: string;
  /** Whether the agent acts or sees if the state can be left. */
  readonly use: StateUse;
  /** The published tools of the present state and the one that leads out of it. */
  readonly supply: ToolSupply;
  /** What is odd about the file. */
  readonly warnings: readonly string[];
  /** Goes to a state that the present one leads to; any other is a `ToolError`. Its tools are there from the next turn on. */
  enter(name: string): void;
  /**
   * Has the next turn see whether an action state can be left, with the tools that it lists for that. What
   * it returns has the agent act again, unless the state was left.
   */
  evaluateExit(): () => void;
  /** Which tools there are in the present state, for the session's next turn. */
  mode(): Mode;
  /** What the agent is to do in the present state, for the system prompt. */
  instructions(): string;
  /** Has a session follow: from state to state it assumes the mode, with the rest of its role, for its next turn. */
  follow(session: RoleTaker, role?: () => SessionRole): Cleanup;
}

/** Somebody who takes on a role from the next turn on: a session. */
export interface RoleTaker {
  assume(role: SessionRole): void;
}
